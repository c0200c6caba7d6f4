package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedDecl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A launch description to fill in: what the kernel says of its launch stands there, the rest is called TODO. */
final class LaunchSkeleton {

    private static final Pattern UNFILLED = Pattern.compile("\\bTODO\\b");

    /** Of YAML; JSON has none, and no value of ours has a number sign behind a blank. */
    private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*");

    private LaunchSkeleton() {}

    /**
     * Refuses a description with something to fill in.
     *
     * @throws DocumentException naming each such line
     */
    static void requireFilled(Path description, String text) {
        List<String> lines = text.lines().toList();
        List<String> unfilled = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String said = COMMENT.matcher(lines.get(i)).replaceAll("").strip();
            if (UNFILLED.matcher(said).find()) {
                unfilled.add("line " + (i + 1) + " '" + said.replaceFirst("^- ", "") + "'");
            }
        }
        if (!unfilled.isEmpty()) {
            throw new DocumentException(
                    description + ": what is called TODO must be filled in: " + String.join(", ", unfilled));
        }
    }

    /** The skeleton for the only kernel of a module, line by line. */
    static List<String> of(PtxModule module) {
        Entry entry = module.entries().getFirst();
        LaunchBounds bounds = entry.launch();
        List<String> lines = new ArrayList<>();
        lines.add("# How " + ShownName.of(entry.name()) + " is launched: fill in what is called TODO.");
        lines.add("# docs/launch-description.md explains every key.");
        lines.add("entry: " + entry.name());
        lines.add("grid: [TODO, TODO, TODO] # CTAs along x, y and z"
                + bounds.cluster()
                        .map(each -> ", multiples of the cluster's " + extents(each.x(), each.y(), each.z()))
                        .orElse(""));
        lines.add(bounds.threads()
                .map(threads -> threads.exactly()
                        ? "block: " + extents(threads.x(), threads.y(), threads.z()) + " # .reqntid: exactly these"
                        : "block: [TODO, TODO, TODO] # .maxntid: no more than "
                                + extents(threads.x(), threads.y(), threads.z()))
                .orElse("block: [TODO, TODO, TODO] # threads"));
        bounds.cluster()
                .ifPresent(each -> lines.add(
                        "cluster: " + extents(each.x(), each.y(), each.z()) + " # .reqnctapercluster: exactly these"));
        boolean dynamic = module.shared().stream().anyMatch(SharedDecl::isDynamic);
        lines.add("dynamicShared: " + (dynamic ? "TODO # bytes; the file declares some" : "0 # bytes"));
        lines.add("buffers:");
        lines.add("  A: {dtype: TODO, shape: [TODO, TODO], init: normal} # and so on for each buffer");
        lines.add(entry.params().isEmpty() ? "parameters: []" : "parameters:");
        entry.params().forEach(param -> lines.add("  - " + unfilled(param)));
        lines.add("expect:");
        lines.add("  - TODO # such as gemm: {a: A, b: B, d: D}, or unchanged: A");
        return lines;
    }

    private static String extents(int x, int y, int z) {
        return "[" + x + ", " + y + ", " + z + "]";
    }

    private static String unfilled(Param param) {
        String name = " # " + ShownName.of(param.name());
        return switch (param.kind()) {
            case U8 -> "u8: TODO" + name + ", 1 byte";
            case U16 -> "u16: TODO" + name + ", 2 bytes";
            case U32 -> "u32: TODO" + name + ", 4 bytes; s32 and f32 are written alike";
            case S32 -> "s32: TODO" + name;
            case F32 -> "f32: TODO" + name;
            case F64 -> "f64: TODO" + name;
            case POINTER, U64 -> "pointer: TODO" + name + ", 8 bytes: a buffer; a number is u64: 0";
            case TENSOR_MAP -> "tensorMap: {buffer: TODO, box: [TODO, TODO]}" + name;
            case BYTES ->
                "struct: {size: " + param.bytes() + ", fields: [{at: 0, b8: TODO}]}" + name + ", aligned to "
                        + param.alignment();
        };
    }
}
