package dev.tilewright.worker.cli.bundle;

import java.util.List;

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
        List<String> parameters) {

    String yaml() {
        StringBuilder text = new StringBuilder();
        title.forEach(line -> text.append("# ").append(line).append('\n'));
        text.append("name: ").append(name).append('\n');
        text.append("""
            # TODO: types of A, B and D: bf16, f16, f32, e4m3, e5m2; {type: f16, major: m} for another layout.
            # With e4m3 or e5m2 also scales: row or block, whose pointers are SCALE_A and SCALE_B.
            problem: {a: TODO, b: TODO, d: TODO}
            """);
        section(text, "space", space);
        section(text, "let", let);
        text.append("kernel: ").append(kernel).append('\n');
        text.append("launch:\n");
        text.append("  entry: ").append(entry).append('\n');
        text.append("  # TODO: CTAs along x, y, z, such as [\"ceildiv(n, 64)\", \"ceildiv(m, 128)\"]\n");
        text.append("  grid: TODO\n");
        text.append("  block: ").append(block).append('\n');
        text.append("  dynamicShared: ").append(shared).append('\n');
        text.append(
                "  # TODO: what is passed, in the kernel's order: pointers to A, B, D (C, BIAS); numbers over m, n, k\n");
        text.append("  parameters:\n");
        parameters.forEach(line -> text.append("    ").append(line).append('\n'));
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
