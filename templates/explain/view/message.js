// A message laid out byte by byte: all of it as a bar, and the bytes around a point as boxes.

import { bytesOfElement, bytesOfPointIn } from "../model/answer.js";
import { bar, barX } from "./message_bar.js";
import { byteRows, rowBytes } from "./message_rows.js";
import { LEFT, RIGHT, ROWS, ROW_HEIGHT, ROWS_TOP, WIDE } from "./message_sheet.js";
import { picture, svg, text } from "./svg.js";
import { bytesWords, count, directionWords, grouped } from "./words.js";

export function messageTitle(message) {
    if (message.kind === "within")
        return `within the rank, ${bytesWords(message.bytes)} in ${count(message.segments.length, "copy", "copies")}`;
    const way = message.kind === "sent" ? "to" : "from";
    return `${way} rank ${message.peer}, ${bytesWords(message.bytes)} in ${count(message.segments.length, "segment")}`;
}

function noPicture() {
    return picture(
        "message-picture",
        WIDE,
        60,
        "No message: these points are copied within the rank",
        text(20, 36, "These points are copied from array to array within the rank. No message holds them.", {
            class: "note",
        }),
    );
}

// The bytes that are shown as boxes: some rows around what is pointed at.
function rowsAround({ spec }, state, message) {
    const current = state.segment || message.segments[0];
    const pointed = state.segment ? bytesOfPointIn(spec, state.segment, state.pointed)[0].first : current.offset;
    const bytes = rowBytes(bytesOfElement(spec, current));
    const first = Math.max(0, Math.floor(pointed / bytes) - 3) * bytes;
    return { first, bytes, rows: Math.min(ROWS, Math.ceil((message.bytes - first) / bytes)) };
}

// Which part of the bar the rows show.
function lens(message, { first, bytes, rows }) {
    const x = barX(message, first);
    const width = Math.max(3, Math.min(1, (rows * bytes) / message.bytes) * (WIDE - LEFT - RIGHT));
    return [
        svg("rect", { x, y: 20, width, height: 54, class: "window" }),
        svg("path", {
            d: `M${x} 74 L${LEFT} ${ROWS_TOP - 8} M${x + width} 74 L${WIDE - RIGHT} ${ROWS_TOP - 8}`,
            class: "window-line",
        }),
    ];
}

// state.segment, state.pointed: what is marked.  choose(segment, point): without a point, all of it.
export function messagePicture(answer, state, message, choose) {
    if (message.kind === "within") return noPicture();
    const range = rowsAround(answer, state, message);
    return picture(
        "message-picture",
        WIDE,
        ROWS_TOP + range.rows * ROW_HEIGHT + 8,
        `The message ${messageTitle(message)}, byte by byte`,
        ...bar(answer.spec, message, state.segment, choose),
        ...lens(message, range),
        ...byteRows(answer.spec, state, message, range, choose),
    );
}

export function messageRows(answer, message) {
    const { spec } = answer;
    return message.segments.map((s, i) => [
        String(i),
        spec.field[s.field].name,
        directionWords(spec, s.direction),
        message.kind === "within" ? "–" : grouped(s.offset),
        grouped(s.bytes),
        s.lo
            .map((lo, a) => (s.hi[a] - lo === 1 ? `${lo}` : `${lo}…${s.hi[a] - 1}`))
            .join(", ")
            .replace(/-/g, "−"),
    ]);
}
