import type { Dispatcher } from "undici";

/** What becomes of a request within the dispatcher, which may queue it until a connection stands. */
export interface Departure {
  /** The request is about to be written to a connection; throwing keeps it back. */
  leaving(): void;
  /** Bytes of the body were handed to the operating system. */
  handedOver(bytes: number): void;
}

/** The dispatcher for one request, whose departure is told. */
export function watched(dispatcher: Dispatcher, departure: Departure): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const watching: Dispatcher.DispatchHandler = {
      onRequestStart: (controller, context) => {
        departure.leaving();
        handler.onRequestStart?.(controller, context);
      },
      onBodySent: (chunk) => {
        departure.handedOver(chunk.byteLength);
        handler.onBodySent?.(chunk);
      },
      onRequestSent: () => handler.onRequestSent?.(),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...failure) => handler.onResponseError?.(...failure),
    };
    return dispatch(options, watching);
  });
}
