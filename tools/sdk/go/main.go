// Command generate-sdk writes a language's SDK from a Pulumi package schema, as the engine of the same
// version does through its language hosts where those can generate.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-management"

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: generate-sdk nodejs|python|go SCHEMA-FILE OUTPUT-FOLDER"))
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func run(language, schemaFile, out string) error {
	pkg, err := readPackage(schemaFile)
	if err != nil {
		return err
	}
	files, err := generate(language, pkg)
	if err != nil {
		return fmt.Errorf("generating %s: %w", language, err)
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

// readPackage prints every diagnostic of the schema and fails on errors and warnings alike: what the
// binder only warns about is lost in the generated code.
func readPackage(schemaFile string) (*schema.Package, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("%s: %w", schemaFile, err)
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintln(os.Stderr, diagnostic.Error())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", schemaFile, err)
	}
	if len(diagnostics) > 0 {
		return nil, fmt.Errorf("%s has %d faults, named above", schemaFile, len(diagnostics))
	}
	return pkg, nil
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "nodejs":
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	default:
		return nil, fmt.Errorf("no generator for this language; there are nodejs, python and go")
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
