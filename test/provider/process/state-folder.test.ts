import os from "node:os";
import { stateFolder } from "../../../provider/process/state-folder";

describe("the state folder", () => {
  it("is the user's", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-management");
    expect(stateFolder({ HOME: "/home/u" }, "linux")).toBe("/home/u/.local/state/pulumi-management");
    expect(stateFolder({ HOME: "/home/u" }, "darwin")).toBe(
      "/home/u/Library/Application Support/pulumi-management",
    );
  });

  it("is none where the user has neither a home nor an entry among the machine's users", () => {
    const asking = jest.spyOn(os, "homedir").mockImplementation(() => {
      throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)");
    });
    expect(stateFolder({}, "linux")).toBeUndefined();
    expect(stateFolder({}, "win32")).toBeUndefined();
    expect(stateFolder({ XDG_STATE_HOME: "/state" }, "linux")).toBe("/state/pulumi-management");
    asking.mockRestore();
  });
});
