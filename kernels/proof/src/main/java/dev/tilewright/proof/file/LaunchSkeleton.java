package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedDecl;
import java.util.ArrayList;
import java.util.List;

/** A launch description to fill in: what the kernel says of its launch stands there, the rest is an example. */
final class LaunchSkeleton {
    private LaunchSkeleton() {}

    /** That of the only kernel of a module, line by line. */
    static List<String> of(PtxModule module) {
        Entry entry = module.entries().getFirst();
        LaunchBounds bounds = entry.launch();
        List<String> lines = new ArrayList<>();
        lines.add("# How " + ShownName.of(entry.name())
                + " is launched. Numbers, buffers and what is expected are examples:" + " replace them.");
        lines.add("# docs/launch-description.md explains every key.");
        lines.add("entry: " + entry.name());
        LaunchBounds.Cluster cluster = bounds.cluster().orElse(new LaunchBounds.Cluster(1, 1, 1));
        lines.add("grid: " + extents(cluster.x(), cluster.y(), cluster.z()) + " # CTAs");
        lines.add(bounds.threads()
                .map(threads -> "block: " + extents(threads.x(), threads.y(), threads.z()) + " # "
                        + (threads.exactly() ? ".reqntid: exactly these" : ".maxntid: no more"))
                .orElse("block: [128, 1, 1] # threads"));
        if (bounds.cluster().isPresent()) {
            lines.add("cluster: " + extents(cluster.x(), cluster.y(), cluster.z())
                    + " # .reqnctapercluster: exactly these");
        }
        boolean dynamic = module.shared().stream().anyMatch(SharedDecl::isDynamic);
        lines.add("dynamicShared: 0 # bytes" + (dynamic ? "; the file declares some" : ""));
        lines.add("buffers:");
        lines.add("  A: {dtype: f32, shape: [64, 64], init: normal}");
        lines.add(entry.params().isEmpty() ? "parameters: []" : "parameters:");
        entry.params().forEach(param -> lines.add("  - " + example(param)));
        lines.add("expect:");
        lines.add("  - unchanged: A # or gemm: {a: A, b: B, d: D}");
        return lines;
    }

    private static String extents(int x, int y, int z) {
        return "[" + x + ", " + y + ", " + z + "]";
    }

    private static String example(Param param) {
        String name = " # " + ShownName.of(param.name());
        return switch (param.kind()) {
            case U8 -> "u8: 0" + name + ", 1 byte";
            case U16 -> "u16: 0" + name + ", 2 bytes";
            case U32 -> "u32: 0" + name + ", 4 bytes; s32 and f32 are written alike";
            case S32 -> "s32: 0" + name;
            case F32 -> "f32: 0" + name;
            case F64 -> "f64: 0" + name;
            case POINTER, U64 -> "pointer: A" + name + ", 8 bytes; a number is u64: 0";
            case TENSOR_MAP -> "tensorMap: {buffer: A, box: [32, 32]}" + name;
            case BYTES ->
                "struct: {size: " + param.bytes() + ", fields: [{at: 0, b8: 0}]}" + name + ", aligned to "
                        + param.alignment();
        };
    }
}
