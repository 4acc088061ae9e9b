// Tiles as a graph: a node for each, a line for each pair of sides that meet.

import { picture, svg, text } from "./svg.js";
import { directionWords } from "./words.js";

// Pairs of sides that meet, each once: { tile, source, side, sourceSide, turn }.
function joints(spec) {
    const found = [];
    for (const link of spec.positions[0].link) {
        if (link.direction.filter((d) => d !== 0).length !== 1) continue;
        const axis = link.direction.findIndex((d) => d !== 0);
        const s = link.map.findIndex((m) => m.axis === axis);
        // Going out on one side one comes in from the other end of the source.
        const into = link.direction.map((_, a) => (a === s ? -link.direction[axis] * link.map[s].sign : 0));
        const turn = link.map
            .map((m, a) =>
                m.axis === a && m.sign > 0 ? "" : `${spec.axis[m.axis]} → ${m.sign < 0 ? "−" : ""}${spec.axis[a]}`,
            )
            .filter((w) => w)
            .join(", ");
        const fresh = {
            tile: link.tile,
            source: link.source,
            side: directionWords(spec, link.direction),
            sourceSide: directionWords(spec, into),
            turn,
        };
        const known = found.some(
            (j) =>
                j.tile === fresh.source &&
                j.source === fresh.tile &&
                j.side === fresh.sourceSide &&
                j.sourceSide === fresh.side,
        );
        if (!known) found.push(fresh);
    }
    return found;
}

const nameOf = (spec, tile) => (spec.tile_names ? spec.tile_names[tile] : String(tile));

export function graphPicture(spec, chosen, choose) {
    const radius = spec.tiles === 1 ? 0 : 90 + 14 * spec.tiles;
    const half = radius + 120;
    const at = (t) => {
        const angle = (2 * Math.PI * t) / spec.tiles - Math.PI / 2;
        return [half + radius * Math.cos(angle) * 1.25, half + radius * Math.sin(angle)];
    };
    const loops = Array(spec.tiles).fill(0);
    const pairs = new Map();
    const lines = joints(spec).map((joint) => {
        const [x1, y1] = at(joint.tile);
        const [x2, y2] = at(joint.source);
        const words = `${joint.side} of ${nameOf(spec, joint.tile)} meets ${joint.sourceSide} of ${nameOf(spec, joint.source)}${joint.turn ? `, turned: ${joint.turn}` : ""}`;
        const kind = `joint ${joint.turn ? "turned" : ""}`;
        if (joint.tile === joint.source) {
            const side = loops[joint.tile]++;
            const dx = side % 2 ? -1 : 1;
            const far = 88 + 26 * Math.floor(side / 2);
            return svg(
                "g",
                { class: kind },
                svg("title", {}, words),
                svg("path", {
                    d: `M${x1} ${y1 - 16} C${x1 + dx * far} ${y1 - 80}, ${x1 + dx * far} ${y1 + 80}, ${x1} ${y1 + 16}`,
                }),
                text(x1 + dx * (far - 14), y1 - 6, `${joint.side} / ${joint.sourceSide}`, {
                    class: dx > 0 ? "small" : "small end",
                }),
                joint.turn
                    ? text(x1 + dx * (far - 14), y1 + 10, joint.turn, {
                          class: dx > 0 ? "small turned" : "small turned end",
                      })
                    : null,
            );
        }
        const key = [joint.tile, joint.source].sort().join();
        const number = pairs.get(key) || 0;
        pairs.set(key, number + 1);
        const length = Math.hypot(x2 - x1, y2 - y1);
        const bend = number * 34;
        const [nx, ny] = [-(y2 - y1) / length, (x2 - x1) / length];
        const [cx, cy] = [(x1 + x2) / 2 + nx * bend, (y1 + y2) / 2 + ny * bend];
        const label = (t, words_) =>
            text(
                x1 + (cx - x1) * 2 * t * (1 - t) + (x2 - x1) * t * t,
                y1 + (cy - y1) * 2 * t * (1 - t) + (y2 - y1) * t * t - 4,
                words_,
                { class: "small middle halo" },
            );
        return svg(
            "g",
            { class: kind },
            svg("title", {}, words),
            svg("path", { d: `M${x1} ${y1} Q${cx} ${cy} ${x2} ${y2}` }),
            label(0.24, joint.side),
            label(0.76, joint.sourceSide),
            joint.turn ? label(0.5, joint.turn) : null,
        );
    });
    const nodes = [...Array(spec.tiles).keys()].map((t) => {
        const [x, y] = at(t);
        const made = svg(
            "g",
            { class: `tile-node ${t === chosen ? "chosen" : ""}` },
            svg("title", {}, `tile ${nameOf(spec, t)}`),
            svg("circle", { cx: x, cy: y, r: 27 }),
            text(x, y + 5, nameOf(spec, t), { class: "sign middle", "font-size": 13 }),
        );
        made.addEventListener("click", () => choose(t));
        return made;
    });
    return picture(
        "graph-picture",
        2 * half + 60,
        2 * half - 40,
        "Tiles, and the sides where they meet",
        ...lines,
        ...nodes,
    );
}

export function graphRows(spec) {
    return joints(spec).map((j) => [
        `${nameOf(spec, j.tile)}, side ${j.side}`,
        `${nameOf(spec, j.source)}, side ${j.sourceSide}`,
        j.turn || "no turn",
    ]);
}
