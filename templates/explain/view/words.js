// Words and numbers as readers see them.

export const PATHS = {
    self: "within the rank",
    shared: "shared memory",
    device: "device to device",
    network: "network",
};

export const FILLS = {
    none: "nothing: it stays as it is",
    zero: "zero",
    copy: "the nearest owned point",
    mirror: "the mirror image",
    antimirror: "the opposite of the mirror image",
    hook: "a function of the application",
};

// What stands in a cell behind a wall.
export const FILL_SIGNS = { none: "", zero: "0", copy: "=", mirror: "M", antimirror: "−M", hook: "ƒ" };

export function count(number, one, many = `${one}s`) {
    return `${grouped(number)} ${number === 1 ? one : many}`;
}

export function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

export function bytesWords(bytes) {
    if (bytes < 10240) return `${grouped(bytes)} B`;
    const units = ["KiB", "MiB", "GiB", "TiB"];
    let value = bytes / 1024;
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit += 1;
    }
    return `${value.toPrecision(3)} ${units[unit]}`;
}

export function percent(share) {
    return `${(100 * share).toPrecision(share >= 0.1 ? 3 : 2)} %`;
}

export function pointWords(point) {
    return `(${point.join(", ").replace(/-/g, "−")})`;
}

// "−x", "+x −y"; "within" for none.
export function directionWords(spec, direction) {
    const words = direction.map((d, a) => (d === 0 ? "" : (d < 0 ? "−" : "+") + spec.axis[a])).filter((w) => w);
    return words.length > 0 ? words.join(" ") : "within";
}

const PARTS = ["owned points", "face", "edge", "corner", "corner"];

// A face, an edge or a corner: where so many of the axes lead out of the block, that has a face along each.
export function directionKind(direction) {
    const across = direction.filter((d) => d !== 0).length;
    if (across === direction.length && across > 1) return "corner";
    return PARTS[across];
}

// How the axes of a source run along those of a block: "x → −y"; "" where they do not turn.
export function turnWords(spec, segment) {
    const words = segment.axis
        .map((axis, s) =>
            axis === s && segment.turn[s] === 1
                ? ""
                : `${spec.axis[axis]} → ${segment.turn[s] < 0 ? "−" : ""}${spec.axis[s]}`,
        )
        .filter((word) => word);
    if (segment.sign < 0) words.push("sign changes");
    return words.join(", ");
}

export function blockWords(spec, tile, block) {
    const name = spec.tile_names ? spec.tile_names[tile] : tile;
    return spec.tiles > 1 ? `tile ${name}, block ${block}` : `block ${block}`;
}

/* Fields whose numbers travel shorter than they are. */
export function wireWords(spec, exchange) {
    const formats = ["float", "half", "bfloat16", "int8", "int16", "int32"];
    return formats
        .map((format, i) => [exchange.field.filter((item) => item.wire === i + 1), format])
        .filter(([items]) => items.length > 0)
        .map(([items, format]) => ` Numbers of ${items.map((item) => spec.field[item.field].name).join(", ")} travel as ${format}.`)
        .join("");
}

export function operationWords(operation) {
    return {
        copy: "copies owned points into ghost points",
        add: "adds ghost points to the owned points that feed them",
        min: "gives owned points the lesser of theirs and of the ghost points they feed",
        max: "gives owned points the greater of theirs and of the ghost points they feed",
        mean: "makes shared points the mean of what their owners hold",
        sum: "makes shared points the sum of what their owners hold",
    }[operation];
}
