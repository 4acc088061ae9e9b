// A message laid out byte by byte: all of it as a bar, and the bytes around a point as boxes.

import { bytesOfElement, bytesOfPointIn, pointAtByte } from "../model/answer.js";
import { picture, svg, text } from "./svg.js";
import { PATHS, bytesWords, count, directionWords, grouped, pointWords } from "./words.js";

const WIDE = 940;
const LEFT = 70;
const RIGHT = 30;
const ROWS = 12;
const ROW = 34;
const TOP = 130; // of the rows

export function messageTitle(message) {
    if (message.kind === "within")
        return `within the rank, ${bytesWords(message.bytes)} in ${count(message.segments.length, "copy", "copies")}`;
    const way = message.kind === "sent" ? "to" : "from";
    return `${way} rank ${message.peer}, ${bytesWords(message.bytes)} in ${count(message.segments.length, "segment")}`;
}

// Number of a field among those that travel, for its shade.
function shade(spec, exchange, field) {
    return spec.exchange[exchange].field.findIndex((f) => f.field === field) % 6;
}

function bar(answer, message, current, acts) {
    const { spec } = answer;
    const scale = (WIDE - LEFT - RIGHT) / Math.max(1, message.bytes);
    const drawn = message.segments.map((segment, i) => {
        const x = LEFT + segment.offset * scale;
        const width = Math.max(0.7, segment.bytes * scale);
        const words = `Segment ${i}: ${spec.field[segment.field].name}, ${directionWords(spec, segment.direction)}, bytes ${grouped(segment.offset)} to ${grouped(segment.offset + segment.bytes - 1)}`;
        const made = svg(
            "g",
            {
                class: `segment shade${shade(spec, segment.exchange, segment.field)} ${segment === current ? "chosen" : ""}`,
            },
            svg("title", {}, words),
            svg("rect", { x, y: 26, width, height: 42 }),
            width > 26 ? text(x + width / 2, 45, spec.field[segment.field].name, { class: "segment-name" }) : null,
            width > 40
                ? text(x + width / 2, 60, directionWords(spec, segment.direction), { class: "segment-name small" })
                : null,
        );
        made.addEventListener("click", () => acts.segment(segment));
        return made;
    });
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => {
        const x = LEFT + part * message.bytes * scale;
        return [
            svg("line", { x1: x, y1: 68, x2: x, y2: 74, class: "axis-line" }),
            text(x, 88, grouped(Math.round(part * message.bytes)), { class: "tick" }),
        ];
    });
    return [
        svg("rect", { x: LEFT, y: 26, width: message.bytes * scale, height: 42, class: "padding" }),
        ...drawn,
        ...ticks.flat(),
        text(LEFT - 10, 51, "bytes", { class: "tick end" }),
    ];
}

// Bytes in a row: a power of two of elements, so that columns stay below each other.
function rowBytes(size) {
    let bytes = Math.max(size, 16);
    while (bytes * 2 <= Math.max(64, size)) bytes *= 2;
    return bytes;
}

// The boxes of one segment in the rows that are shown.  Points longer than a row go on in the next.
function boxes(answer, state, segment, first, bytes, acts) {
    const { spec } = answer;
    const size = bytesOfElement(spec, segment);
    const scale = (WIDE - LEFT - RIGHT) / bytes;
    const last = first + ROWS * bytes;
    const drawn = [];
    const begin = segment.offset + Math.max(0, Math.floor((first - segment.offset) / size)) * size;
    for (let at = begin; at < Math.min(last, segment.offset + segment.bytes); at += size) {
        const { point, component } = pointAtByte(spec, segment, at);
        const pieces = [];
        for (let byte = Math.max(at, first); byte < Math.min(at + size, last);) {
            const row = Math.floor((byte - first) / bytes);
            const end = Math.min(at + size, first + (row + 1) * bytes);
            pieces.push({
                x: LEFT + (byte - first - row * bytes) * scale,
                y: TOP + row * ROW,
                width: (end - byte) * scale,
            });
            byte = end;
        }
        if (pieces.length === 0) continue;
        const chosen = segment === state.segment && point.every((p, a) => p === state.pointed[a]);
        const label = `${spec.field[segment.field].name}${pointWords(point)}${spec.field[segment.field].place > 0 ? `, component ${segment.picks ? segment.picks[component] : component}` : ""}: bytes ${grouped(at)} to ${grouped(at + size - 1)}`;
        const made = svg(
            "g",
            { class: `byte-point shade${shade(spec, segment.exchange, segment.field)} ${chosen ? "chosen" : ""}` },
            svg("title", {}, label),
            ...pieces.map(({ x, y, width }) =>
                svg("rect", { x: x + 0.5, y, width: width - 1, height: ROW - 7, rx: 2 }),
            ),
            ...(pieces[0].width > 44
                ? [
                      text(pieces[0].x + pieces[0].width / 2, pieces[0].y + 18, point.join(",").replace(/-/g, "−"), {
                          class: "byte-name",
                      }),
                  ]
                : []),
        );
        made.addEventListener("click", () => acts.point(segment, point));
        drawn.push(made);
    }
    return drawn;
}

// state.segment, state.pointed: what is marked; acts: segment(s), point(s, p).
export function messagePicture(answer, state, message, acts) {
    const { spec } = answer;
    if (message.kind === "within") {
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
    const current = state.segment || message.segments[0];
    const pointed = state.segment ? bytesOfPointIn(spec, state.segment, state.pointed)[0].first : current.offset;
    const bytes = rowBytes(bytesOfElement(spec, current));
    const first = Math.max(0, Math.floor(pointed / bytes) - 3) * bytes;
    const rows = Math.min(ROWS, Math.ceil((message.bytes - first) / bytes));
    const scale = (WIDE - LEFT - RIGHT) / bytes;
    const labels = [...Array(rows).keys()].map((r) =>
        text(LEFT - 10, TOP + r * ROW + 18, grouped(first + r * bytes), { class: "tick end" }),
    );
    const padding = [...Array(rows).keys()].map((r) =>
        svg("rect", {
            x: LEFT,
            y: TOP + r * ROW,
            height: ROW - 7,
            class: "padding",
            width: Math.min(bytes, message.bytes - first - r * bytes) * scale,
        }),
    );
    const windowX = LEFT + (first / message.bytes) * (WIDE - LEFT - RIGHT);
    const windowWidth = Math.min(1, (rows * bytes) / message.bytes) * (WIDE - LEFT - RIGHT);
    const made = message.segments
        .filter((s) => s.offset < first + rows * bytes && s.offset + s.bytes > first)
        .flatMap((s) => boxes(answer, state, s, first, bytes, acts));
    return picture(
        "message-picture",
        WIDE,
        TOP + rows * ROW + 8,
        `The message ${messageTitle(message)}, byte by byte`,
        ...bar(answer, message, state.segment, acts),
        svg("rect", { x: windowX, y: 20, width: Math.max(3, windowWidth), height: 54, class: "window" }),
        svg("path", {
            d: `M${windowX} 74 L${LEFT} ${TOP - 8} M${windowX + Math.max(3, windowWidth)} 74 L${WIDE - RIGHT} ${TOP - 8}`,
            class: "window-line",
        }),
        ...padding,
        ...made,
        ...labels,
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

// A point in words: whose it is, how it comes, and where in the message it lies.
export function ghostWords(answer, state, found, point) {
    const { spec } = answer;
    const { segment, message } = found;
    const source = segment.axis.map(
        (axis, s) => segment.sourceFirst[s] + segment.turn[s] * (point[axis] - segment.lo[axis]),
    );
    const within = message.kind === "within";
    const peer = within ? state.rank : message.peer;
    const bytes = bytesOfPointIn(spec, segment, point);
    const spread = bytes.length > 1 ? `, and ${count(bytes.length - 1, "more component")} behind` : "";
    const where = within
        ? "none: it is copied within the rank"
        : `the one ${message.kind === "sent" ? "to" : "from"} rank ${peer}, segment ${message.segments.indexOf(segment)} of ${message.segments.length}, bytes ${grouped(bytes[0].first)} to ${grouped(bytes[0].end - 1)}${spread}`;
    return {
        owner: `rank ${segment.fromRank}, ${spec.tiles > 1 ? `tile ${spec.tile_names ? spec.tile_names[segment.sourceTile] : segment.sourceTile}, ` : ""}block ${segment.sourceBlock}`,
        point: `${spec.field[segment.sourceField].name}${pointWords(source)}${segment.sign < 0 ? ", with its sign changed" : ""}`,
        way: PATHS[answer.path(state.exchange, segment.fromRank, segment.toRank)],
        message: where,
    };
}
