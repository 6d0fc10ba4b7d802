/** Every point at which a resource's step can die, in this process. */
export function runPoints(): Promise<boolean> {
  console.log("not there yet");
  return Promise.resolve(true);
}
