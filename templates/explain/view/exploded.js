// A block of three axes and the 26 parts of its halo, pulled apart.

import { allDirections } from "../model/cut.js";
import { button, picture, svg, text } from "./svg.js";
import { directionKind, directionWords } from "./words.js";

const CORE = 2.5;
const LAYER = 0.6;
const GAP = 0.55;
const SCALE = 50;

const ends = (d) => (d < 0 ? [-GAP - LAYER, -GAP] : d > 0 ? [CORE + GAP, CORE + GAP + LAYER] : [0, CORE]);

// Onto the sheet: x to the lower right, y to the upper right, z up, seen from the low y.
function project([x, y, z]) {
    return [260 + SCALE * (x * 0.87 + y * 0.72), 330 + SCALE * (x * 0.36 - y * 0.46 - z * 0.98)];
}

function face(corners, kind) {
    return svg("polygon", {
        points: corners
            .map((c) =>
                project(c)
                    .map((v) => v.toFixed(1))
                    .join(","),
            )
            .join(" "),
        class: kind,
    });
}

// The three sides of a part that one sees: its front (low y), its right (high x) and its top (high z).
function faces([x0, x1], [y0, y1], [z0, z1]) {
    return [
        face(
            [
                [x0, y0, z0],
                [x1, y0, z0],
                [x1, y0, z1],
                [x0, y0, z1],
            ],
            "front",
        ),
        face(
            [
                [x1, y0, z0],
                [x1, y1, z0],
                [x1, y1, z1],
                [x1, y0, z1],
            ],
            "right",
        ),
        face(
            [
                [x0, y0, z1],
                [x1, y0, z1],
                [x1, y1, z1],
                [x0, y1, z1],
            ],
            "top",
        ),
    ];
}

// looks: class and words of a direction.  choose(direction): what a click on a part does.
export function explodedPicture(spec, looks, chosen, choose) {
    const parts = allDirections(3);
    const nearness = ([x, y, z]) => x - y + z; // the far ones are drawn first
    parts.sort((one, other) => nearness(one) - nearness(other));
    const drawn = parts.map((d) => {
        const { class: kind, words } = looks(d);
        const label = `${directionKind(d)} ${directionWords(spec, d)}: ${words}`;
        const is = d.every((n, a) => n === chosen[a]) ? " chosen" : "";
        return button(
            svg(
                "g",
                { id: `part_${d.join("_")}`, class: `part ${kind}${is}` },
                svg("title", {}, label),
                ...faces(...d.map(ends)),
            ),
            label,
            () => choose(d),
        );
    });
    const tip = (v) => project(v);
    const arrow = (to, name) => {
        const [x1, y1] = tip([-1.9, -2.1, -1.4]);
        const [x2, y2] = tip(to);
        return [
            svg("line", { x1, y1, x2, y2, class: "axis-line", "marker-end": "url(#head-ink)" }),
            text(x2 + 6, y2 - 4, name, { class: "axis" }),
        ];
    };
    return picture(
        "exploded-picture",
        560,
        492,
        "The parts of the halo, pulled apart",
        ...drawn,
        ...arrow([-0.7, -2.1, -1.4], spec.axis[0]),
        ...arrow([-1.9, -0.9, -1.4], spec.axis[1]),
        ...arrow([-1.9, -2.1, -0.3], spec.axis[2]),
    );
}
