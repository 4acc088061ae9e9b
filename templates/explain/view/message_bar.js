// All of a message as a bar, segment after segment.

import { LEFT, RIGHT, WIDE, shadeOf } from "./message_sheet.js";
import { svg, text } from "./svg.js";
import { directionWords, grouped } from "./words.js";

const TOP = 26;
const HEIGHT = 42;

const scaleOf = (message) => (WIDE - LEFT - RIGHT) / Math.max(1, message.bytes);

// Where a byte lies along the bar.
export function barX(message, byte) {
    return LEFT + byte * scaleOf(message);
}

function segmentWords(spec, segment, number) {
    const { offset, bytes } = segment;
    const range = `bytes ${grouped(offset)} to ${grouped(offset + bytes - 1)}`;
    return `Segment ${number}: ${spec.field[segment.field].name}, ${directionWords(spec, segment.direction)}, ${range}`;
}

function segmentBox(spec, message, number, isChosen, choose) {
    const segment = message.segments[number];
    const x = barX(message, segment.offset);
    const width = Math.max(0.7, segment.bytes * scaleOf(message));
    const middle = x + width / 2;
    const made = svg(
        "g",
        { class: `segment ${shadeOf(spec, segment)} ${isChosen ? "chosen" : ""}` },
        svg("title", {}, segmentWords(spec, segment, number)),
        svg("rect", { x, y: TOP, width, height: HEIGHT }),
        width > 26 ? text(middle, 45, spec.field[segment.field].name, { class: "segment-name" }) : null,
        width > 40 ? text(middle, 60, directionWords(spec, segment.direction), { class: "segment-name small" }) : null,
    );
    made.addEventListener("click", () => choose(segment));
    return made;
}

function ticks(message) {
    return [0, 0.25, 0.5, 0.75, 1].flatMap((part) => {
        const x = barX(message, part * message.bytes);
        return [
            svg("line", { x1: x, y1: 68, x2: x, y2: 74, class: "axis-line" }),
            text(x, 88, grouped(Math.round(part * message.bytes)), { class: "tick" }),
        ];
    });
}

// What no segment covers is padding.
export function bar(spec, message, chosen, choose) {
    const width = message.bytes * scaleOf(message);
    return [
        svg("rect", { x: LEFT, y: TOP, width, height: HEIGHT, class: "padding" }),
        ...message.segments.map((segment, i) => segmentBox(spec, message, i, segment === chosen, choose)),
        ...ticks(message),
        text(LEFT - 10, 51, "bytes", { class: "tick end" }),
    ];
}
