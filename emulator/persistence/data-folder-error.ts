/** A data folder that cannot be used; the message is all that the user needs to see. */
export class DataFolderError extends Error {}
