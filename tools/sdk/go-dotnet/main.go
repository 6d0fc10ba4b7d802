// Command generate-dotnet-sdk writes the .NET SDK from a Pulumi package schema, with the last generator for .NET that
// is published as a Go module.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	if len(os.Args) != 4 || os.Args[1] != "dotnet" {
		fail(fmt.Errorf("usage: generate-dotnet-sdk dotnet SCHEMA-FILE OUTPUT-FOLDER"))
	}
	if err := run(os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func run(schemaFile, out string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("%s: %w", schemaFile, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintln(os.Stderr, diagnostic.Error())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", schemaFile, err)
	}
	if len(diagnostics) > 0 {
		return fmt.Errorf("%s has %d faults, named above", schemaFile, len(diagnostics))
	}
	files, err := generate(pkg)
	if err != nil {
		return fmt.Errorf("generating dotnet: %w", err)
	}
	for name, contents := range files {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, contents, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d files\n", len(files))
	return nil
}

// generate keeps the generator from the network, where it looks for a logo; whoever runs it puts one there.
func generate(pkg *schema.Package) (map[string][]byte, error) {
	logo := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer logo.Close()
	pkg.LogoURL = logo.URL
	return dotnet.GeneratePackage("pulumi-management", pkg, nil, nil)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
