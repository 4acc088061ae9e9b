// Tiles as a graph: a node for each, a line for each pair of sides that meet.

import { joints, tileName } from "./joints.js";
import { picture, svg, text } from "./svg.js";

const NODE = 27; // radius

// Where tiles lie: on an ellipse, the first one at the top.
function circleOf(spec) {
    const radius = spec.tiles === 1 ? 0 : 90 + 14 * spec.tiles;
    const half = radius + 120;
    const at = (tile) => {
        const angle = (2 * Math.PI * tile) / spec.tiles - Math.PI / 2;
        return [half + radius * Math.cos(angle) * 1.25, half + radius * Math.sin(angle)];
    };
    return { half, at };
}

function jointWords(spec, { tile, source, side, sourceSide, turn }) {
    const meets = `${side} of ${tileName(spec, tile)} meets ${sourceSide} of ${tileName(spec, source)}`;
    return turn ? `${meets}, turned: ${turn}` : meets;
}

// Two sides of one tile: a loop, to the right and to the left in turn.
function loop({ side, sourceSide, turn }, [x, y], number) {
    const toTheLeft = number % 2 === 1;
    const dx = toTheLeft ? -1 : 1;
    const far = 88 + 26 * Math.floor(number / 2);
    const label = (dy, words, kind) =>
        text(x + dx * (far - 14), y + dy, words, { class: toTheLeft ? `${kind} end` : kind });
    return [
        svg("path", {
            d: `M${x} ${y - 16} C${x + dx * far} ${y - 80}, ${x + dx * far} ${y + 80}, ${x} ${y + 16}`,
        }),
        label(-6, `${side} / ${sourceSide}`, "small"),
        turn ? label(10, turn, "small turned") : null,
    ];
}

// Sides of two tiles: a line; the second one between them bends, and so on.
function line({ side, sourceSide, turn }, [x1, y1], [x2, y2], number) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const bend = number * 34;
    const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
    const [cx, cy] = [(x1 + x2) / 2 + nx * bend, (y1 + y2) / 2 + ny * bend];
    const label = (t, words) =>
        text(
            x1 + (cx - x1) * 2 * t * (1 - t) + (x2 - x1) * t * t,
            y1 + (cy - y1) * 2 * t * (1 - t) + (y2 - y1) * t * t - 4,
            words,
            { class: "small middle halo" },
        );
    return [
        svg("path", { d: `M${x1} ${y1} Q${cx} ${cy} ${x2} ${y2}` }),
        label(0.24, side),
        label(0.76, sourceSide),
        turn ? label(0.5, turn) : null,
    ];
}

function lines(spec, at) {
    const drawn = new Map(); // between two tiles
    return joints(spec).map((joint) => {
        const key = [joint.tile, joint.source].sort().join();
        const number = drawn.get(key) || 0;
        drawn.set(key, number + 1);
        const made =
            joint.tile === joint.source
                ? loop(joint, at(joint.tile), number)
                : line(joint, at(joint.tile), at(joint.source), number);
        return svg(
            "g",
            { class: `joint ${joint.turn ? "turned" : ""}` },
            svg("title", {}, jointWords(spec, joint)),
            ...made,
        );
    });
}

function node(spec, tile, [x, y], isChosen, choose) {
    const made = svg(
        "g",
        { class: `tile-node ${isChosen ? "chosen" : ""}` },
        svg("title", {}, `tile ${tileName(spec, tile)}`),
        svg("circle", { cx: x, cy: y, r: NODE }),
        text(x, y + 5, tileName(spec, tile), { class: "sign middle", "font-size": 13 }),
    );
    made.addEventListener("click", () => choose(tile));
    return made;
}

export function graphPicture(spec, chosen, choose) {
    const { half, at } = circleOf(spec);
    return picture(
        "graph-picture",
        2 * half + 60,
        2 * half - 40,
        "Tiles, and the sides where they meet",
        ...lines(spec, at),
        ...[...Array(spec.tiles).keys()].map((t) => node(spec, t, at(t), t === chosen, choose)),
    );
}
