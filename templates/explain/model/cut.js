// Which blocks feed a ghost box: runtime/grid/cut.c, in the page.

import {
    boxIntersect,
    boxIsEmpty,
    boxOfRewrite,
    boxPart,
    mapBox,
    mapBoxBack,
    mapCompose,
    mapIdentity,
    mapIndex,
    mapOfLink,
} from "./box.js";
import { layoutBlock, layoutCells, layoutPart, pointsOf } from "./layout.js";

const linksOf = new WeakMap(); // of positions, by tile and direction

// The link that leads from a tile in a direction; undefined: there is none.
export function findLink(spec, field, tile, direction) {
    const positions = spec.positions[spec.field[field].positions];
    if (!linksOf.has(positions)) {
        linksOf.set(positions, new Map(positions.link.map((link) => [[link.tile, ...link.direction].join(), link])));
    }
    return linksOf.get(positions).get(`${tile},${direction.join()}`);
}

// Does a link lead to the same tile in the same orientation?
export function linkWraps(link) {
    return link.source === link.tile && link.map.every((m, a) => m.axis === a && m.sign > 0);
}

// All directions {-1, 0, 1}^axes, the last axis first.
export function allDirections(axes) {
    return axes === 0 ? [[]] : allDirections(axes - 1).flatMap((d) => [-1, 0, 1].map((last) => [...d, last]));
}

// Those in which a box reaches, of a tile with so many points.
function directionsOf(box, points) {
    return points.reduce(
        (found, n, a) => {
            const sides = [];
            if (box.lo[a] < 0) sides.push(-1);
            if (box.lo[a] < n && box.hi[a] > 0) sides.push(0);
            if (box.hi[a] > n) sides.push(1);
            return found.flatMap((d) => sides.map((side) => [...d, side]));
        },
        [[]],
    );
}

// The same points seen from the source of a link.  A place is { tile, field, sign, crossed, map, box }.
function crossLink(layout, place, link, box) {
    const { spec, tiles } = layout;
    const step = mapOfLink(link, tiles[link.tile].cells, tiles[link.source].cells);
    return {
        tile: link.source,
        field: link.component < 0 ? place.field : spec.field[place.field].vector[link.component],
        sign: place.sign * link.sign,
        crossed: true,
        map: mapCompose(step, place.map),
        box: mapBox(step, box),
    };
}

// A cut under way: pieces are added to cutter.pieces.
class Cutter {
    constructor(layout, ghost) {
        const { first, cells } = layoutCells(layout, ghost.tile, ghost.block);
        this.layout = layout;
        this.spec = layout.spec;
        this.ghost = ghost;
        this.first = first;
        this.points = pointsOf(layout.spec, ghost.field, cells);
        this.pieces = [];
        this.box = {
            lo: first.map((f, a) => f + [-ghost.widthLo[a], 0, this.points[a]][ghost.direction[a] + 1]),
            hi: first.map((f, a) => f + [0, this.points[a], this.points[a] + ghost.widthHi[a]][ghost.direction[a] + 1]),
        };
    }

    rewrites(field) {
        return this.spec.positions[this.spec.field[field].positions].rewrite;
    }

    // Splits a box into what lies within the tile and what lies beyond it, and follows the links of the latter.
    follow(place) {
        const points = pointsOf(this.spec, place.field, this.layout.tiles[place.tile].cells);
        for (const direction of directionsOf(place.box, points)) {
            const part = { ...place, box: boxPart(place.box, points, direction) };
            if (direction.every((d) => d === 0)) {
                this.settle(part, 0);
                continue;
            }
            const link = findLink(this.spec, place.field, place.tile, direction);
            if (link && (!place.crossed || linkWraps(link))) {
                this.follow(crossLink(this.layout, place, link, part.box));
            } else if (place.crossed) {
                throw new RangeError(
                    `The halo of ${this.spec.field[this.ghost.field].name} reaches across tile ${place.tile} and beyond it: ` +
                        "tiles need as many cells as the width, up to two more across a fold.",
                );
            }
        }
    }

    // Points of a tile.  Those that are rewritten are looked for where they come from; the others are owned.
    settle(place, number) {
        const rewrites = this.rewrites(place.field);
        for (let r = number; r < rewrites.length; ++r) {
            if (rewrites[r].link.tile !== place.tile) continue;
            const all = boxOfRewrite(rewrites[r], this.layout.tiles[place.tile].cells);
            const met = boxIntersect(place.box, all);
            if (!boxIsEmpty(met)) {
                this.follow(crossLink(this.layout, place, rewrites[r].link, met));
                this.settleRest(place, met, r + 1);
                return;
            }
        }
        this.split(place, 0, { lo: [], hi: [] }, []);
    }

    // What is left of a box without a box within it.
    settleRest(place, without, number) {
        const rest = { lo: place.box.lo.slice(), hi: place.box.hi.slice() };
        for (let a = 0; a < this.spec.axes; ++a) {
            const below = { lo: rest.lo.slice(), hi: rest.hi.slice() };
            const above = { lo: rest.lo.slice(), hi: rest.hi.slice() };
            below.hi[a] = without.lo[a];
            above.lo[a] = without.hi[a];
            for (const box of [below, above]) {
                if (!boxIsEmpty(box)) this.settle({ ...place, box }, number);
            }
            rest.lo[a] = without.lo[a];
            rest.hi[a] = without.hi[a];
        }
    }

    // Which cells own the points of a box along an axis: point i goes with cell i - shift, held within first and last.
    // Along the ghost box, faces go with the cells of the box as the destination sees them.
    ownersOf(place, axis) {
        const { extra } = this.spec.positions[this.spec.field[place.field].positions];
        const lastCell = this.layout.tiles[place.tile].cells[axis] - 1;
        const all = mapBox(place.map, this.box);
        const along = this.ghost.direction[place.map.axis[axis]] === 0 && extra[axis];
        if (!along || all.hi[axis] - all.lo[axis] <= 1) return { shift: 0, first: 0, last: lastCell };
        const within = (cell) => Math.min(Math.max(cell, 0), lastCell);
        return {
            shift: Number(place.map.turn[axis] < 0),
            first: within(all.lo[axis]),
            last: within(all.hi[axis] - 2),
        };
    }

    // Splits a box that lies within a tile among the blocks, axis after axis.
    split(place, axis, owned, index) {
        if (axis === this.spec.axes) {
            this.add(place, owned, index);
            return;
        }
        const o = this.ownersOf(place, axis);
        const end = place.box.hi[axis];
        for (let next = place.box.lo[axis]; next < end; next = owned.hi[axis]) {
            const cell = Math.min(Math.max(next - o.shift, o.first), o.last);
            index[axis] = layoutPart(this.layout, place.tile, axis, cell);
            const cut = this.layout.tiles[place.tile].cuts[axis][index[axis] + 1];
            owned.lo[axis] = next;
            owned.hi[axis] = cut <= o.last && cut + o.shift < end ? cut + o.shift : end;
            this.split(place, axis + 1, owned, index);
        }
    }

    // A box of points that one block owns.
    add(place, owned, index) {
        const to = mapBoxBack(place.map, owned);
        const { cuts } = this.layout.tiles[place.tile];
        this.pieces.push({
            lo: to.lo.map((lo, a) => lo - this.first[a]),
            hi: to.hi.map((hi, a) => hi - this.first[a]),
            sourceTile: place.tile,
            sourceBlock: layoutBlock(this.layout, place.tile, index),
            sourceField: place.field,
            sourceFirst: index.map((i, a) => mapIndex(place.map, a, to.lo) - cuts[a][i]),
            axis: place.map.axis,
            turn: place.map.turn,
            sign: place.sign,
        });
    }

    // The block's own points that are rewritten by an exchange that reaches in the direction of the ghost box.
    followRewritten(start) {
        const own = { lo: this.first, hi: this.first.map((f, a) => f + this.points[a]) };
        this.rewrites(start.field).forEach((rewrite, r) => {
            const { tile, direction } = rewrite.link;
            const box = boxIntersect(own, boxOfRewrite(rewrite, this.layout.tiles[start.tile].cells));
            const reaches = direction.every((d, a) => d === this.ghost.direction[a]);
            if (tile === start.tile && reaches && !boxIsEmpty(box)) this.settle({ ...start, box }, r);
        });
    }
}

// The pieces of a ghost box: { lo, hi } counted in the block, and what feeds them.  Points that no tile link leads from
// are in none.  ghost: { tile, block, field, widthLo, widthHi, direction }.
export function cutGhost(layout, ghost) {
    const cutter = new Cutter(layout, ghost);
    if (boxIsEmpty(cutter.box)) return [];
    const map = mapIdentity(layout.spec.axes);
    const start = { tile: ghost.tile, field: ghost.field, sign: 1, crossed: false, map, box: cutter.box };
    cutter.follow(start);
    cutter.followRewritten(start);
    return cutter.pieces;
}
