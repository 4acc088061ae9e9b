// All blocks on a sheet: a Cartesian grid as it is divided, tiles unfolded, a fold with its pivots.

import { layoutCells, layoutIndex } from "../model/layout.js";
import { unfold } from "../model/net.js";
import { byDirection } from "./feeders.js";
import { button, picture, svg, text } from "./svg.js";
import { PATHS, blockWords } from "./words.js";

const MARGIN = 46;
const GAP = 8;

// Class of a block: own, or the path by which it is reached; else its node says how it is shaded.
export function pathsOfBlocks(answer, state) {
    const found = new Map();
    for (const { peers } of byDirection(answer, state)) {
        for (const peer of peers) found.set(`${peer.tile},${peer.block}`, peer.path);
    }
    for (const { tile, block } of state.blocks) found.set(`${tile},${block}`, "own");
    return found;
}

export function blockLabel(answer, state, tile, block, kind) {
    const rank = answer.layout.owners[answer.layout.tiles[tile].first + block];
    const relation = kind === "own" ? "the rank shown" : kind ? `feeds it by ${PATHS[kind]}` : "does not feed it";
    return `Rank ${rank}, ${blockWords(answer.spec, tile, block)}: ${relation}`;
}

// The sheet of one layer: `fixed` are the indices of blocks along the axes that are not drawn.
class Sheet {
    constructor(answer, state, net, fixed, size) {
        Object.assign(this, { answer, state, net, fixed, size });
        this.kinds = pathsOfBlocks(answer, state);
        const ats = [...net.placed.values()].map((p) => p.at);
        this.left = Math.min(...ats.map((at) => at[0]));
        this.right = Math.max(...ats.map((at) => at[0]));
        this.low = Math.min(...ats.map((at) => at[1]));
        this.high = Math.max(...ats.map((at) => at[1]));
        this.width = (this.right - this.left + 1) * size + 2 * MARGIN;
        this.height = (this.high - this.low + 1) * this.tall() + 2 * MARGIN;
    }

    // One axis is drawn as a low strip.
    tall() {
        return this.net.axes.length > 1 ? this.size * this.aspect() : 64;
    }

    // Tiles of a Cartesian grid have the shape of their cells, within reason.
    aspect() {
        if (this.answer.spec.tiles > 1) return 1;
        const { cells } = this.answer.layout.tiles[0];
        return Math.min(1.4, Math.max(0.4, cells[this.net.axes[1]] / cells[this.net.axes[0]]));
    }

    // From a tile's own coordinates, 0 to 1 along its axes, to the sheet.
    place(tile, u, v) {
        const { at, frame } = this.net.placed.get(tile);
        const inner = 1 - (this.answer.spec.tiles > 1 ? GAP / this.size : 0);
        const second = frame[this.net.axes[1]] || [0, 1];
        const x = at[0] + inner * ((u - 0.5) * frame[this.net.axes[0]][0] + (v - 0.5) * second[0]);
        const y = at[1] + inner * ((u - 0.5) * frame[this.net.axes[0]][1] + (v - 0.5) * second[1]);
        return [MARGIN + (x - this.left + 0.5) * this.size, MARGIN + (this.high - y + 0.5) * this.tall()];
    }

    isShown(tile, block) {
        const index = layoutIndex(this.answer.layout, tile, block);
        return index.every(
            (i, a) =>
                this.net.axes.includes(a) || i === Math.min(this.fixed[a], this.answer.layout.tiles[tile].parts[a] - 1),
        );
    }

    // From and to, as parts of the tile along the axes of the sheet.
    extent(tile, block) {
        const { first, cells } = layoutCells(this.answer.layout, tile, block);
        const whole = this.answer.layout.tiles[tile].cells;
        const [a, b] = this.net.axes;
        const range = (axis) =>
            axis === undefined ? [0, 1] : [first[axis] / whole[axis], (first[axis] + cells[axis]) / whole[axis]];
        return [range(a), range(b)];
    }

    middle(tile, block) {
        const [[u0, u1], [v0, v1]] = this.extent(tile, block);
        return this.place(tile, (u0 + u1) / 2, (v0 + v1) / 2);
    }

    block(tile, block, choose) {
        const { layout } = this.answer;
        const [[u0, u1], [v0, v1]] = this.extent(tile, block);
        const corners = [
            [u0, v0],
            [u1, v0],
            [u1, v1],
            [u0, v1],
        ].map(([u, v]) => this.place(tile, u, v));
        const kind = this.kinds.get(`${tile},${block}`);
        const rank = layout.owners[layout.tiles[tile].first + block];
        const label = blockLabel(this.answer, this.state, tile, block, kind);
        const [x, y] = this.middle(tile, block);
        const room = Math.min(Math.abs(corners[2][0] - corners[0][0]), Math.abs(corners[2][1] - corners[0][1]));
        const made = svg(
            "g",
            { class: `map-block ${kind || "other"}`, id: `map_${this.fixed.join("_")}_${tile}_${block}` },
            svg("title", {}, label),
            svg("polygon", { points: corners.map((c) => c.map((v) => v.toFixed(1)).join(",")).join(" ") }),
            room > 13
                ? text(x, y + room * 0.12, String(rank), { class: "sign", "font-size": Math.min(26, room * 0.36) })
                : null,
        );
        return button(made, label, () => choose(rank, tile, block));
    }

    // The axes of a tile, at its low corner; its name in the middle.
    tileMarks(tile) {
        const { spec } = this.answer;
        const marks = [];
        this.net.axes.forEach((axis, k) => {
            const [from, to] = spec.tiles > 1 ? [0.04, 0.17] : [-0.035, 0.13];
            const low = spec.tiles > 1 ? 0.04 : -0.035 - (0.03 * this.size) / this.tall();
            const [x1, y1] = k === 0 ? this.place(tile, from, low) : this.place(tile, -0.035, low);
            const [x2, y2] = k === 0 ? this.place(tile, to, low) : this.place(tile, -0.035, to);
            marks.push(svg("line", { x1, y1, x2, y2, class: "axis-line", "marker-end": "url(#head-ink)" }));
            const length = Math.hypot(x2 - x1, y2 - y1) / 11;
            marks.push(
                text(x2 + (x2 - x1) / length, y2 + (y2 - y1) / length + 4, spec.axis[axis], {
                    class: "axis middle halo",
                }),
            );
        });
        if (spec.tiles > 1) {
            const [x, y] = this.place(tile, 0.5, 0.94);
            marks.push(
                text(x, y + 4, spec.tile_names ? spec.tile_names[tile] : `tile ${tile}`, { class: "tile-name" }),
            );
        }
        return svg("g", { class: "marks" }, ...marks);
    }

    // The link of the side that is folded, or none.
    foldLink() {
        const { spec } = this.answer;
        return spec.positions[0].link.find(
            (l) =>
                l.source === l.tile &&
                l.direction.filter((d) => d !== 0).length === 1 &&
                l.map.some((m) => m.sign < 0) &&
                l.map.every((m, a) => m.axis === a) &&
                spec.tiles === 1 &&
                l.map[l.direction.findIndex((d) => d)].sign < 0,
        );
    }

    // From points of one half of a side to those of the other, on which they lie.  side(t): a place on it.
    foldArcs(side, outward) {
        return [0.1, 0.23, 0.36].map((t) => {
            const [x1, y1] = side(t);
            const [x2, y2] = side(1 - t);
            const rise = 150 * (0.5 - t) + 10;
            const [cx, cy] = [(x1 + x2) / 2 + outward[0] * rise, (y1 + y2) / 2 + outward[1] * rise];
            return svg("path", {
                d: `M${x1} ${y1} Q${cx} ${cy} ${x2} ${y2}`,
                class: "fold-arc",
                "marker-end": "url(#head-fold)",
                "marker-start": "url(#head-fold)",
            });
        });
    }

    // The side that is folded, with its pivots and arcs.
    fold() {
        const link = this.foldLink();
        if (!link) return null;
        const across = link.direction.findIndex((d) => d !== 0);
        const end = link.direction[across] > 0 ? 1 : 0;
        const isLevel = across === this.net.axes[1];
        const side = (t) => (isLevel ? this.place(0, t, end) : this.place(0, end, t));
        const outward = isLevel ? [0, end ? -1 : 1] : [end ? 1 : -1, 0];
        const [x1, y1] = side(0);
        const [x2, y2] = side(1);
        const name = `${end ? "+" : "−"}${this.answer.spec.axis[across]}`;
        return svg(
            "g",
            { class: "fold" },
            svg("title", {}, `The side ${name} is folded: one half of it lies on the other`),
            svg("line", { x1, y1, x2, y2, class: "fold-line" }),
            ...this.foldArcs(side, outward),
            ...[0, 0.5, 1].map((t) => svg("circle", { cx: side(t)[0], cy: side(t)[1], r: 5, class: "pivot" })),
        );
    }

    // Arrows from what feeds the rank's block across its faces.
    arrows() {
        const { tile, block } = this.state.blocks[this.state.block];
        if (!this.isShown(tile, block)) return [];
        const [x2, y2] = this.middle(tile, block);
        return byDirection(this.answer, this.state)
            .filter(({ direction }) => direction.filter((d) => d !== 0).length === 1)
            .flatMap(({ peers }) => peers)
            .filter((peer) => this.isShown(peer.tile, peer.block) && peer.path !== "self")
            .map((peer) => {
                const [x1, y1] = this.middle(peer.tile, peer.block);
                const length = Math.hypot(x2 - x1, y2 - y1) || 1;
                const bend = Math.min(60, length * 0.18);
                const [cx, cy] = [
                    (x1 + x2) / 2 - ((y2 - y1) / length) * bend,
                    (y1 + y2) / 2 + ((x2 - x1) / length) * bend,
                ];
                const cut = (x, y, towardX, towardY, by) => {
                    const l = Math.hypot(towardX - x, towardY - y) || 1;
                    return [x + ((towardX - x) / l) * by, y + ((towardY - y) / l) * by];
                };
                const [sx, sy] = cut(x1, y1, cx, cy, 14);
                const [ex, ey] = cut(x2, y2, cx, cy, 20);
                const d = `M${sx.toFixed(1)} ${sy.toFixed(1)} Q${cx.toFixed(1)} ${cy.toFixed(1)} ${ex.toFixed(1)} ${ey.toFixed(1)}`;
                return svg(
                    "g",
                    {},
                    svg("path", { d, class: "casing" }),
                    svg("path", {
                        d,
                        class: `arrow ${peer.path}`,
                        "stroke-width": 2.5,
                        fill: "none",
                        "marker-end": `url(#head-${peer.path})`,
                    }),
                );
            });
    }

    draw(choose) {
        const { layout, spec } = this.answer;
        const blocks = [];
        layout.tiles.forEach((tile, t) => {
            for (let b = 0; b < tile.blocks; ++b) {
                if (this.isShown(t, b)) blocks.push(this.block(t, b, choose));
            }
        });
        const own = blocks.filter((b) => b.classList.contains("own"));
        const others = blocks.filter((b) => !b.classList.contains("own"));
        const fold = this.net.axes.length > 1 && spec.positions[0] ? this.fold() : null;
        return [...others, ...own, ...layout.tiles.map((_, t) => this.tileMarks(t)), fold, ...this.arrows()];
    }
}

// All layers of blocks along the axes that a sheet does not show; at most so many.
function layersOf(answer, axes, most) {
    let list = [Array(answer.spec.axes).fill(0)];
    for (let a = 0; a < answer.spec.axes; ++a) {
        if (axes.includes(a)) continue;
        const parts = Math.max(...answer.layout.tiles.map((t) => t.parts[a]));
        list = list.flatMap((fixed) => [...Array(parts).keys()].map((i) => fixed.map((old, k) => (k === a ? i : old))));
    }
    return list.slice(0, most);
}

export function mapPicture(answer, state, choose) {
    const { spec } = answer;
    const net = unfold(spec);
    const layers = layersOf(answer, net.axes, 6);
    const size = spec.tiles > 4 ? 150 : spec.tiles > 1 ? 200 : layers.length > 1 ? 260 : 420;
    const columns = Math.min(layers.length, 2);
    let width = 0;
    let height = 0;
    const drawn = layers.map((fixed, i) => {
        const sheet = new Sheet(answer, state, net, fixed, size);
        const [x, y] = [(i % columns) * (sheet.width - MARGIN), Math.floor(i / columns) * (sheet.height - MARGIN / 2)];
        width = Math.max(width, x + sheet.width);
        height = Math.max(height, y + sheet.height);
        const words = fixed
            .map((n, a) =>
                net.axes.includes(a) || Math.max(...answer.layout.tiles.map((t) => t.parts[a])) === 1
                    ? ""
                    : `${spec.axis[a]}: part ${n}`,
            )
            .filter((w) => w)
            .join(", ");
        return svg(
            "g",
            { transform: `translate(${x} ${y})` },
            ...sheet.draw(choose).filter((e) => e),
            words ? text(MARGIN, MARGIN - 12, words, { class: "layer" }) : null,
        );
    });
    return picture("map-picture", Math.ceil(width), Math.ceil(height), "All blocks and their ranks", ...drawn);
}
