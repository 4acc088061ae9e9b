// Some bytes of a message in rows of boxes, a box for each point.

import { bytesOfElement, pointAtByte } from "../model/answer.js";
import { LEFT, RIGHT, ROW_HEIGHT, ROWS_TOP, WIDE, shadeOf } from "./message_sheet.js";
import { svg, text } from "./svg.js";
import { grouped, pointWords } from "./words.js";

// Bytes in a row: a power of two of elements, so that columns stay below each other.
export function rowBytes(size) {
    let bytes = Math.max(size, 16);
    while (bytes * 2 <= Math.max(64, size)) bytes *= 2;
    return bytes;
}

const scaleOf = ({ bytes }) => (WIDE - LEFT - RIGHT) / bytes;
const endOf = ({ first, bytes, rows }) => first + rows * bytes;

// The bytes from `at` on as pieces of rows: what is longer than a row goes on in the next.
function pieces(range, at, size) {
    const { first, bytes } = range;
    const found = [];
    for (let byte = Math.max(at, first); byte < Math.min(at + size, endOf(range)); ) {
        const row = Math.floor((byte - first) / bytes);
        const end = Math.min(at + size, first + (row + 1) * bytes);
        found.push({
            x: LEFT + (byte - first - row * bytes) * scaleOf(range),
            y: ROWS_TOP + row * ROW_HEIGHT,
            width: (end - byte) * scaleOf(range),
        });
        byte = end;
    }
    return found;
}

function elementWords(spec, segment, { point, component }, at, size) {
    const field = spec.field[segment.field];
    const number = segment.picks ? segment.picks[component] : component;
    const which = field.components_after > 0 ? `, component ${number}` : "";
    return `${field.name}${pointWords(point)}${which}: bytes ${grouped(at)} to ${grouped(at + size - 1)}`;
}

// The point whose bytes begin at `at`; null: none of them are shown.
function box(spec, state, segment, range, at) {
    const size = bytesOfElement(spec, segment);
    const found = pieces(range, at, size);
    if (found.length === 0) return null;
    const element = pointAtByte(spec, segment, at);
    const isChosen = segment === state.segment && element.point.every((p, a) => p === state.pointed[a]);
    const [{ x, y, width }] = found;
    return svg(
        "g",
        { class: `byte-point ${shadeOf(spec, segment)} ${isChosen ? "chosen" : ""}` },
        svg("title", {}, elementWords(spec, segment, element, at, size)),
        ...found.map((p) => svg("rect", { x: p.x + 0.5, y: p.y, width: p.width - 1, height: ROW_HEIGHT - 7, rx: 2 })),
        width > 44
            ? text(x + width / 2, y + 18, element.point.join(",").replace(/-/g, "−"), { class: "byte-name" })
            : null,
    );
}

function boxes(spec, state, segment, range, choose) {
    const size = bytesOfElement(spec, segment);
    const begin = segment.offset + Math.max(0, Math.floor((range.first - segment.offset) / size)) * size;
    const end = Math.min(endOf(range), segment.offset + segment.bytes);
    const drawn = [];
    for (let at = begin; at < end; at += size) {
        const made = box(spec, state, segment, range, at);
        if (!made) continue;
        made.addEventListener("click", () => choose(segment, pointAtByte(spec, segment, at).point));
        drawn.push(made);
    }
    return drawn;
}

// range: { first, bytes of a row, rows }.  What no box covers is padding.
export function byteRows(spec, state, message, range, choose) {
    const { first, bytes, rows } = range;
    const y = (r) => ROWS_TOP + r * ROW_HEIGHT;
    const all = [...Array(rows).keys()];
    const padding = all.map((r) =>
        svg("rect", {
            x: LEFT,
            y: y(r),
            height: ROW_HEIGHT - 7,
            class: "padding",
            width: Math.min(bytes, message.bytes - first - r * bytes) * scaleOf(range),
        }),
    );
    const seen = message.segments.filter((s) => s.offset < endOf(range) && s.offset + s.bytes > first);
    const labels = all.map((r) => text(LEFT - 10, y(r) + 18, grouped(first + r * bytes), { class: "tick end" }));
    return [...padding, ...seen.flatMap((s) => boxes(spec, state, s, range, choose)), ...labels];
}
