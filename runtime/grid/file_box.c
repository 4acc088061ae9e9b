#include "grid/file_box.h"

#include "base/saturate.h"
#include "grid/cut.h"

hxi_file_array hxi_file_array_of(const hx_spec *spec, int field, const int cells[])
{
    const hx_field *f = &spec->field[field];
    int points[HX_MAX_AXES];
    hxi_cut_points(spec, field, cells, points);
    hxi_file_array array = {.axes = spec->axes + (f->components > 0)};
    int next = array.axes;
    for (int position = 0; position <= spec->axes; ++position) {
        if (f->components > 0 && f->components_after == position) {
            array.axis[--next] = HX_FILE_COMPONENTS;
            array.size[next] = f->components;
        }
        if (position < spec->axes) {
            array.axis[--next] = f->order[position];
            array.size[next] = points[f->order[position]];
        }
    }
    return array;
}

ptrdiff_t hxi_file_array_elements(const hxi_file_array *array)
{
    ptrdiff_t elements = 1;
    for (int a = 0; a < array->axes; ++a) {
        elements = hxi_times(elements, array->size[a]);
    }
    return elements;
}

bool hxi_file_tiles_alike(const hxi_layout *layout)
{
    bool alike = true;
    for (int t = 1; t < layout->tiles; ++t) {
        for (int a = 0; a < layout->axes; ++a) {
            alike = alike && layout->tile[t].cells[a] == layout->tile[0].cells[a];
        }
    }
    return alike;
}

hxi_file_box hxi_file_box_of(const hx_spec *spec, const hxi_layout *layout, const hxi_block *block, int field)
{
    const hxi_file_array array = hxi_file_array_of(spec, field, block->cells);
    const int elements = hxi_block_elements(&spec->field[field]);
    const int origin[HX_MAX_AXES] = {0};
    const int one[HX_MAX_AXES] = {1, 1, 1, 1};
    const hxi_subbox point = {.first = origin, .n = one};
    const hx_region region = hxi_block_region(spec, block, field, 0, &point);
    int index[HX_MAX_AXES] = {0};
    if (!spec->list) {
        hxi_layout_index(layout, block->tile, block->number, index);
    }
    hxi_file_box box = {.at = region.at * elements};
    for (int a = 0; a < array.axes; ++a) {
        const int axis = array.axis[a];
        box.n[a] = array.size[a];
        if (axis == HX_FILE_COMPONENTS) {
            box.stride[a] = spec->field[field].components_after == 0 ? 1 : block->apart[field];
        } else {
            box.first[a] = spec->list ? 0 : hxi_tile_cut(&layout->tile[block->tile], axis, index[axis]);
            box.stride[a] = region.stride[axis] * elements;
        }
    }
    return box;
}

/* Can blocks share points across an axis? */
static bool is_shared(const hx_spec *spec, int field, int axis)
{
    return axis >= 0 && spec->decomposed[axis] &&
           spec->positions[spec->field[field].positions].extra[axis] != 0;
}

int hxi_file_passes(const hx_spec *spec, int field)
{
    int passes = 1;
    for (int a = 0; a < spec->axes; ++a) {
        passes *= is_shared(spec, field, a) ? 2 : 1;
    }
    return passes;
}

/* ---- which block has which point in which pass ---------------------------------------------------------- */

/*
 * Along an axis across which blocks share points these are of three kinds: the first one, which the block below
 * has, too, the last one, which the block above has, and those between.
 */
enum { FIRST, INNER, LAST, KINDS };

/* One kind along each axis that is shared, INNER along the others. */
typedef struct kinds {
    int of[HX_MAX_AXES];
} kinds;

/* Is there a block on that side, which shares its points? */
static bool has_side(const hxi_file_request *r, const int index[], int axis, int kind)
{
    const int parts = r->layout->tile[r->block->tile].parts[axis];
    return is_shared(r->spec, r->field, axis) &&
           (kind == FIRST ? index[axis] > 0 : kind == LAST && index[axis] + 1 < parts);
}

/*
 * Of all blocks that have a point the one writes it that is the upper one along the last of the axes in which
 * they differ; where that has no owner the next.  Does a block with an owner come before this one?
 */
static bool others_write(const hxi_file_request *r, const int index[], const kinds *k)
{
    for (int others = 1; others < 1 << HX_MAX_AXES; ++others) {
        int there[HX_MAX_AXES];
        bool possible = true;
        int first = 0; /* the last axis in which it differs: is it above there? */
        for (int a = 0; a < HX_MAX_AXES; ++a) {
            const bool differs = others >> a & 1;
            possible = possible && (!differs || has_side(r, index, a, k->of[a]));
            there[a] = index[a] + (differs ? (k->of[a] == LAST ? 1 : -1) : 0);
            first = differs ? k->of[a] : first;
        }
        if (possible && first == LAST &&
            !hxi_layout_is_land(r->layout, r->block->tile,
                                hxi_layout_block(r->layout, r->block->tile, there))) {
            return true;
        }
    }
    return false;
}

/* Points that a block does not write it reads in the pass whose bits say along which axes they are its last. */
static int pass_of(const hxi_file_request *r, const int index[], const kinds *k)
{
    int pass = 0;
    int bit = 1;
    for (int a = 0; a < r->spec->axes; ++a) {
        if (is_shared(r->spec, r->field, a)) {
            pass += has_side(r, index, a, k->of[a]) && k->of[a] == LAST ? bit : 0;
            bit *= 2;
        }
    }
    return others_write(r, index, k) ? pass : 0;
}

/* The points of these kinds, of all those of a block. */
static hxi_file_box box_of_kinds(const hxi_file_request *r, const hxi_file_array *array,
                                 const hxi_file_box *all, const kinds *k)
{
    hxi_file_box box = *all;
    for (int a = 0; a < array->axes; ++a) {
        const int axis = array->axis[a];
        if (!is_shared(r->spec, r->field, axis)) {
            continue;
        }
        const ptrdiff_t skipped = k->of[axis] == FIRST ? 0 : k->of[axis] == LAST ? all->n[a] - 1 : 1;
        box.first[a] += skipped;
        box.at += skipped * box.stride[a];
        box.n[a] = k->of[axis] == INNER ? all->n[a] - 2 : 1;
    }
    return box;
}

/* Do two boxes make one?  The second begins where the first ends along one axis. */
static bool join(const hxi_file_array *array, hxi_file_box *box, const hxi_file_box *next)
{
    int along = -1;
    for (int a = 0; a < array->axes; ++a) {
        if (box->first[a] == next->first[a] && box->n[a] == next->n[a]) {
            continue;
        }
        if (along >= 0 || box->first[a] + box->n[a] != next->first[a]) {
            return false;
        }
        along = a;
    }
    box->n[along] += next->n[along];
    return true;
}

/* Joins what can be, until nothing can. */
static int join_all(const hxi_file_array *array, hxi_file_box boxes[], int count)
{
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            if (i != j && join(array, &boxes[i], &boxes[j])) {
                boxes[j] = boxes[--count];
                return join_all(array, boxes, count);
            }
        }
    }
    return count;
}

/* The next kinds, the first axis fastest; false: there are none.  They begin as all FIRST. */
static bool next_kinds(const hxi_file_request *r, kinds *k)
{
    for (int a = 0; a < r->spec->axes; ++a) {
        if (is_shared(r->spec, r->field, a)) {
            if (++k->of[a] < KINDS) {
                return true;
            }
            k->of[a] = FIRST;
        }
    }
    return false;
}

int hxi_file_boxes_in_pass(const hxi_file_request *request, int pass, hxi_file_box boxes[HX_FILE_BOXES])
{
    const hxi_file_request *r = request;
    const hxi_file_array array = hxi_file_array_of(r->spec, r->field, r->block->cells);
    const hxi_file_box all = hxi_file_box_of(r->spec, r->layout, r->block, r->field);
    int index[HX_MAX_AXES];
    hxi_layout_index(r->layout, r->block->tile, r->block->number, index);
    kinds k = {{0}};
    int count = 0;
    do {
        const hxi_file_box box = box_of_kinds(r, &array, &all, &k);
        bool empty = false;
        for (int a = 0; a < array.axes; ++a) {
            empty = empty || box.n[a] == 0;
        }
        if (!empty && pass_of(r, index, &k) == pass) {
            boxes[count++] = box;
        }
    } while (next_kinds(r, &k));
    return join_all(&array, boxes, count);
}
