// The section of the message, byte by byte.

import { messagePicture, messageRows, messageTitle } from "../view/message.js";
import { byId, show, table } from "../view/svg.js";
import { fillOptions } from "./controls.js";

function fillMessages({ state, answer }, messages) {
    const phase = (m) => (answer.phases(state.exchange) ? `phase ${m.phase}, ` : "");
    fillOptions(
        byId("message"),
        messages.map((m, i) => [i, `${phase(m)}${messageTitle(m)}`]),
        state.message,
    );
}

export function showMessages(shown, choose) {
    const { state, answer } = shown;
    const messages = answer.messages(state.exchange, state.rank);
    if (state.message >= messages.length) state.message = 0;
    fillMessages(shown, messages);
    const message = messages[state.message];
    byId("message-section").hidden = !message;
    if (!message) return;
    show(
        byId("message-place"),
        messagePicture(answer, state, message, (segment, point) => choose.segment(message, segment, point)),
    );
    show(
        byId("message-table"),
        table(
            `Segments: ${messageTitle(message)}`,
            ["segment", "field", "direction", "first byte", "bytes", "points"],
            messageRows(answer, message),
            message.segments.indexOf(state.segment),
            (i) => choose.segment(message, message.segments[i]),
        ),
    );
}
