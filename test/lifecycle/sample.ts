export { field, type Fixture as Sample, type Objects } from "../../tools/fixtures/fixture";
