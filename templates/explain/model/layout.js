// Which block has which cells, and which rank owns which block: runtime/grid/layout.c, in the page.

import { partitionCut } from "./process_grid.js";

// Tiles cut into blocks.  spec: the tables of a spec; tiles: { cells, parts } each, by axis, and `cuts` where they are
// not even; owners: the rank of each block, tile after tile.
export function makeLayout(spec, tiles, ranks, owners) {
    let blocks = 0;
    const made = tiles.map(({ cells, parts, cuts }) => {
        const tile = {
            cells,
            parts,
            cuts: cuts || parts.map((p, a) => [...Array(p + 1).keys()].map((i) => partitionCut(cells[a], p, i))),
            first: blocks,
            blocks: parts.reduce((product, p) => product * p, 1),
        };
        blocks += tile.blocks;
        return tile;
    });
    return { spec, tiles: made, blocks, ranks, owners };
}

// Why a layout cannot be, in words; "": it can.  Tiles that meet have as many cells along the side that they share.
export function refusalOf(layout) {
    const { spec, tiles } = layout;
    for (const { link } of spec.positions) {
        for (const { tile, source, direction, map } of link) {
            for (let s = 0; s < spec.axes; ++s) {
                const { axis } = map[s];
                const here = tiles[tile].cells[axis];
                const there = tiles[source].cells[s];
                if (direction[axis] === 0 && here !== there) {
                    return (
                        `Tiles ${tile} and ${source} meet along ${spec.axis[axis]} of the one and ${spec.axis[s]} of the other: ` +
                        `the first has ${here} cells there and the second ${there}. Give both the same number.`
                    );
                }
            }
        }
    }
    return "";
}

// The rank of each block: as even as possible, in the order of the blocks.
export function evenOwners(blocks, ranks) {
    return [...Array(blocks).keys()].map((b) => Math.floor((b * ranks) / blocks));
}

// Axes from the one along which the numbers of blocks rise first.
function axesByNumber(layout) {
    const axes = [...Array(layout.spec.axes).keys()];
    return layout.spec.first_fastest ? axes : axes.reverse();
}

export function layoutBlock(layout, tile, index) {
    const { parts } = layout.tiles[tile];
    return axesByNumber(layout).reduceRight((block, a) => block * parts[a] + index[a], 0);
}

export function layoutIndex(layout, tile, block) {
    const { parts } = layout.tiles[tile];
    const index = [];
    let rest = block;
    for (const a of axesByNumber(layout)) {
        index[a] = rest % parts[a];
        rest = Math.floor(rest / parts[a]);
    }
    return index;
}

// The part along an axis that has the cell.
export function layoutPart(layout, tile, axis, cell) {
    const cuts = layout.tiles[tile].cuts[axis];
    let low = 0;
    let high = cuts.length - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (cuts[middle] <= cell) low = middle;
        else high = middle;
    }
    return low;
}

export function layoutOwner(layout, tile, block) {
    return layout.owners[layout.tiles[tile].first + block];
}

// First cell and cells of a block.
export function layoutCells(layout, tile, block) {
    const { cuts } = layout.tiles[tile];
    const index = layoutIndex(layout, tile, block);
    return {
        index,
        first: index.map((i, a) => cuts[a][i]),
        cells: index.map((i, a) => cuts[a][i + 1] - cuts[a][i]),
    };
}

// Points at a field's positions in a block or tile that has so many cells.
export function pointsOf(spec, field, cells) {
    const { extra } = spec.positions[spec.field[field].positions];
    return cells.map((n, a) => n + extra[a]);
}

// All blocks of a rank, by rising tile and number.
export function blocksOf(layout, rank) {
    const found = [];
    layout.tiles.forEach((tile, t) => {
        for (let b = 0; b < tile.blocks; ++b) {
            if (layoutOwner(layout, t, b) === rank) found.push({ tile: t, block: b });
        }
    });
    return found;
}
