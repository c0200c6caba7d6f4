package dev.tilewright.worker.cli.bundle;

import java.util.List;
import java.util.Optional;

/**
 * A {@code kernel.yaml} to be filled: what is not known is called TODO, which {@code bundle check} refuses with its
 * place.
 *
 * @param title lines of comment at the top
 * @param space lines below {@code space:}; none if there is one config
 * @param let lines below {@code let:}
 * @param kernel value of the key
 * @param block threads of a CTA
 * @param shared bytes of dynamic shared memory
 * @param parameters lines below {@code parameters:}
 * @param facts what is known of the problem and the grid; empty if nothing
 */
record BundleSkeleton(
        String name,
        List<String> title,
        List<String> space,
        List<String> let,
        String kernel,
        String entry,
        String block,
        String shared,
        List<String> parameters,
        Optional<Facts> facts) {

    /**
     * @param problem a line for each entry: {@code a}, {@code b} and {@code d}
     * @param conditions of the problem
     * @param epilogue value of the key; empty if there is none
     * @param scratch bytes that each CTA has in the buffer {@code SCRATCH}; empty if there is none
     */
    record Facts(
            List<String> problem,
            List<String> conditions,
            String epilogue,
            List<String> constraints,
            Grid grid,
            Optional<String> scratch) {
        Facts {
            problem = List.copyOf(problem);
            conditions = List.copyOf(conditions);
            constraints = List.copyOf(constraints);
        }
    }

    /**
     * @param extents expressions of CTAs along x, y and z; none if they are not known
     * @param comment what a reader should know of them; empty if nothing
     */
    record Grid(List<String> extents, String comment) {
        Grid {
            extents = List.copyOf(extents);
        }

        private String text() {
            return (extents.isEmpty() ? "TODO" : "[\"" + String.join("\", \"", extents) + "\"]")
                    + (comment.isEmpty() ? "" : "  # " + comment);
        }
    }

    String yaml() {
        StringBuilder text = new StringBuilder();
        title.forEach(line -> text.append("# ").append(line).append('\n'));
        text.append("name: ").append(name).append('\n');
        text.append(facts.map(BundleSkeleton::problem).orElse("""
            # TODO: types of A, B and D: bf16, f16, f32, e4m3, e5m2; {type: f16, major: m} for another layout.
            # With e4m3 or e5m2 also scales: row or block, whose pointers are SCALE_A and SCALE_B.
            problem: {a: TODO, b: TODO, d: TODO}
            """));
        section(text, "space", space);
        section(text, "let", let);
        section(
                text,
                "constraints",
                facts.map(Facts::constraints).orElse(List.of()).stream()
                        .map(rule -> "- \"" + rule + "\"")
                        .toList());
        text.append("kernel: ").append(kernel).append('\n');
        text.append("launch:\n");
        text.append("  entry: ").append(entry).append('\n');
        text.append(facts.map(known -> "  grid: " + known.grid().text() + "\n").orElse("""
              # TODO: CTAs along x, y, z, such as ["ceildiv(n, 64)", "ceildiv(m, 128)"]
              grid: TODO
            """));
        text.append("  block: ").append(block).append('\n');
        text.append("  dynamicShared: ").append(shared).append('\n');
        facts.flatMap(Facts::scratch)
                .ifPresent(bytes -> text.append("  buffers: {SCRATCH: {dtype: u8, shape: \"")
                        .append(bytes)
                        .append(" * (")
                        .append(String.join(") * (", facts.orElseThrow().grid().extents()))
                        .append(")\"}}\n"));
        if (facts.isEmpty()) {
            text.append(
                    "  # TODO: what is passed, in the kernel's order: pointers to A, B, D (C, BIAS); numbers over m,"
                            + " n, k\n");
        }
        text.append("  parameters:\n");
        parameters.forEach(line -> text.append("    ").append(line).append('\n'));
        return text.toString();
    }

    private static String problem(Facts facts) {
        StringBuilder text = new StringBuilder("problem:\n");
        for (String entry : facts.problem()) {
            text.append("  ").append(entry).append('\n');
        }
        if (!facts.conditions().isEmpty()) {
            text.append("  conditions: [\"")
                    .append(String.join("\", \"", facts.conditions()))
                    .append("\"]\n");
        }
        if (!facts.epilogue().isEmpty()) {
            text.append("epilogue: ").append(facts.epilogue()).append('\n');
        }
        return text.toString();
    }

    private static void section(StringBuilder text, String key, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append(key).append(":\n");
            lines.forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }

    /** A name that a bundle may have. */
    static String nameOf(String text) {
        String name = text.toLowerCase(java.util.Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        return name.isEmpty() ? "kernel" : name;
    }
}
