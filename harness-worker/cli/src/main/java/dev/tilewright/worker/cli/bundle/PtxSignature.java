package dev.tilewright.worker.cli.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Launch facts from the head of a kernel. Its body is not read: whether it can be emulated does not matter here.
 *
 * @param target such as {@code sm_90a}
 * @param block threads along x, y and z, as {@code .reqntid} or {@code .maxntid} has them; empty if it has neither
 * @param exact whether the block must be just that
 */
record PtxSignature(String entry, String target, List<Parameter> parameters, List<Integer> block, boolean exact) {
    private static final Pattern ENTRY =
            Pattern.compile("\\.entry\\s+([A-Za-z_$%][\\w$]*)\\s*(?:\\(([^)]*)\\))?([^{;]*)");
    private static final Pattern PARAMETER =
            Pattern.compile("\\.param((?:\\s+\\.\\w+(?:\\s+\\d+)?)+)\\s+([\\w$]+)(?:\\[(\\d+)])?");
    private static final Pattern TYPE = Pattern.compile("\\.([busf]\\d+)\\b");
    private static final Pattern ALIGNED = Pattern.compile("\\.align\\s+(\\d+)");
    private static final Pattern THREADS = Pattern.compile("\\.(maxntid|reqntid)\\s+([\\d\\s,]+)");
    private static final Pattern TARGET = Pattern.compile("(?m)^\\s*\\.target\\s+(sm_\\w+)");
    private static final int MAP_BYTES = 128;
    private static final int MAP_ALIGNMENT = 64;

    /**
     * @param type such as {@code u64}; {@code b8} of a struct
     * @param bytes of all of it
     */
    record Parameter(String type, String name, int bytes, int alignment, boolean pointer) {

        /** The line of a description that passes it, for somebody to fill. */
        String line() {
            if (type.equals("b8")) {
                return bytes == MAP_BYTES && alignment % MAP_ALIGNMENT == 0
                        ? "- tensorMap: {buffer: TODO, box: [TODO, TODO]}"
                        : "- struct: {size: " + bytes + ", fields: [{at: 0, s32: TODO}]}";
            }
            return pointer || bytes == Long.BYTES ? "- pointer: TODO" : "- " + type + ": TODO";
        }
    }

    PtxSignature {
        parameters = List.copyOf(parameters);
        block = List.copyOf(block);
    }

    /**
     * Heads of all kernels of a text.
     *
     * @throws IllegalArgumentException if it has no target
     */
    static List<PtxSignature> in(String ptx) {
        String text = ptx.replaceAll("//[^\n]*", "");
        Matcher target = TARGET.matcher(text);
        if (!target.find()) {
            throw new IllegalArgumentException("is no PTX: it has no .target");
        }
        List<PtxSignature> found = new ArrayList<>();
        Matcher entry = ENTRY.matcher(text);
        while (entry.find()) {
            Matcher threads = THREADS.matcher(entry.group(3));
            boolean bounded = threads.find();
            found.add(new PtxSignature(
                    entry.group(1),
                    target.group(1),
                    parameters(Optional.ofNullable(entry.group(2)).orElse("")),
                    bounded ? extents(threads.group(2)) : List.of(),
                    bounded && threads.group(1).equals("reqntid")));
        }
        return found;
    }

    private static List<Integer> extents(String text) {
        List<Integer> extents = new ArrayList<>();
        for (String extent : text.strip().split("\\s*,\\s*")) {
            extents.add(Integer.parseInt(extent));
        }
        while (extents.size() > 1 && extents.getLast() == 1) {
            extents.removeLast();
        }
        return extents;
    }

    private static List<Parameter> parameters(String list) {
        List<Parameter> parameters = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(list);
        while (matcher.find()) {
            String words = matcher.group(1);
            Matcher type = TYPE.matcher(words);
            Matcher aligned = ALIGNED.matcher(words);
            String named = type.find() ? type.group(1) : "b8";
            int element = Integer.parseInt(named.substring(1)) / Byte.SIZE;
            int count = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
            parameters.add(new Parameter(
                    named,
                    matcher.group(2),
                    element * count,
                    aligned.find() ? Integer.parseInt(aligned.group(1)) : element,
                    words.contains(".ptr")));
        }
        return parameters;
    }

    /** Threads of a CTA as a description has them. */
    String blockText() {
        return block.isEmpty() ? "TODO" : block.size() == 1 ? block.getFirst().toString() : block.toString();
    }
}
