/* heddle voxelize: a scan as a dense tensor, by scripts/voxelize.lua, which gets its options as text. */
#include "sim/cli/command.h"

#include <errno.h>

#include "sim/cli/script.h"

enum {
    OPT_GRID = 256,
    OPT_VOXEL,
    OPT_BIRDSEYE,
    OPT_BOUNDS,
    OPT_ORIGIN,
    OPT_CROP,
    OPT_CHANNELS,
    OPT_INTENSITY,
    OPT_RAW,
    OPT_FLOATS,
    OPT_EMPTY,
    OPT_JSON,
    OPT_WORDS
};

static const struct argp_option options[] = {
    {"grid", OPT_GRID, "X,Y[,Z]", 0, "Voxels along each side; X,Y alone: seen from above", 1},
    {"voxel", OPT_VOXEL, "SIZE[,SIZE,SIZE]", 0, "In place of --grid: the size of a voxel in the units of the file", 1},
    {"birdseye", OPT_BIRDSEYE, NULL, 0, "See from above: one layer of voxels", 2},
    {"bounds", OPT_BOUNDS, "LO:HI,LO:HI,LO:HI", 0, "x, y and z that the grid covers (default: all points)", 2},
    {"origin", OPT_ORIGIN, "X[,Y,Z]", 0,
     "With --voxel: a corner of a voxel, the origin of their numbers (default: the lowest point, or bounds)", 2},
    {"crop", OPT_CROP, "X,Y[,Z]", 0, "Keep X voxels about the mean of the points, or a part FIRST:END of them", 2},
    {"channels", OPT_CHANNELS, "NAME,...", 0,
     "occupancy, count, density, intensity, x, y, z, dx, dy, dz, top (default occupancy,intensity or occupancy,z)", 3},
    {"intensity", OPT_INTENSITY, "FIELD", 0, "Field that is the intensity; of text without names a column from 4 on",
     3},
    {"raw", OPT_RAW, "FIELD,...", 0, "The file holds float32 numbers of these fields", 3},
    {"floats", OPT_FLOATS, "4|5", 0,
     "Float32 numbers of a point in a .bin file: x,y,z,intensity (KITTI), or also ring (nuScenes); by default its size "
     "tells",
     3},
    {"empty", OPT_EMPTY, "error|nan", 0, "Empty fields of text: error (default), or nan, which leaves the point out",
     3},
    {"output", 'o', "FILE.npy", 0, "Write the tensor; - is standard output. Without it there is only the report", 4},
    {"json", OPT_JSON, "FILE", 0, "Write what was found as JSON; - is standard output", 4},
    {"words", OPT_WORDS, "WHAT", OPTION_HIDDEN, "Print the names of channels or scans, for completion", 4},
    OPTION_GROUP(1, "Size of the grid:"),
    OPTION_GROUP(2, "What it covers:"),
    OPTION_GROUP(3, "What voxels hold:"),
    OPTION_GROUP(4, "What is written:"),
    {0}};

struct voxelize_options {
    struct script_call call;
    bool has_file, lists;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct voxelize_options *o = state->input;
    if (key == ARGP_KEY_ARG) {
        if (o->has_file) {
            argp_error(state, "one file at a time, not '%s' too", arg);
            return EINVAL;
        }
        o->has_file = true;
        return script_call_add(&o->call, "file", arg);
    }
    if (key == ARGP_KEY_NO_ARGS && o->lists)
        return 0;
    if (key == ARGP_KEY_NO_ARGS) {
        argp_error(state, "which file? heddle voxelize scan.ply --grid 64,64,16 -o x.npy");
        return EINVAL;
    }
    o->lists |= key == OPT_WORDS;
    return script_call_option(&o->call, options, key, arg);
}

const struct argp cmd_voxelize_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE|SCAN",
    .doc =
        "Put the points of a scan into a grid of voxels, by their number (--grid) or size (--voxel), and "
        "write the dense tensor of fp32: [1,C,Z,Y,X] with C channels, or [1,C,Y,X] seen from above.\n"
        "A voxel is floor((x - origin) / size): a point on a border belongs to the upper one. "
        "FILE is PLY, PCD, .npy [N,3], a table as text with x y z on each line or named columns, or raw float32 (.bin, "
        "or see --raw); - is standard input. "
        "SCAN is one that the package libcgal-demo installs (building, b9, poste_france, kitten, hippo, oni), or a "
        "generated one (street)."
        "\vExample: heddle voxelize scan.ply --grid 64,64,16 -o x.npy",
    .children = command_common};

int cmd_voxelize(int argc, char **argv) {
    struct voxelize_options o = {.call.script = "voxelize.lua"};
    return script_command(&cmd_voxelize_argp, argc, argv, &o.call);
}
