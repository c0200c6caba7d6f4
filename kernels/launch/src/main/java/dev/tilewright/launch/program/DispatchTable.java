package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.ScalarRole;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table that says which of some exported kernels computes a shape; each has a folder of its own beside the table. */
public final class DispatchTable {

    private final String name;
    private final List<Row> rows;

    /**
     * A kernel of the table.
     *
     * @param origin where its config comes from, on one line
     */
    public record Row(KernelProgram kernel, String origin) {

        public Row {
            KernelProgram.requireRemark(origin);
        }

        private Expectation.Gemm product() {
            return ProgramBuffers.products(kernel.launch()).getFirst();
        }

        private String shape() {
            return product().m() + ", " + product().n() + ", " + product().k();
        }

        private List<BufferDescription> operands() {
            return List.of(product().a(), product().b(), product().d()).stream()
                    .map(operand -> kernel.launch().buffer(operand.buffer()))
                    .toList();
        }

        private List<ProgramBuffers.Added> added() {
            return ProgramBuffers.added(product());
        }

        private boolean scales() {
            return ProgramBuffers.passes(kernel.launch(), ScalarRole.SCALE);
        }

        /** Types, layouts and epilogue: kernels of one table have the same. */
        private List<Object> operandKinds() {
            return List.of(
                    operands().stream().map(BufferDescription::type).toList(),
                    product().a().transposed(),
                    product().b().transposed(),
                    product().d().transposed(),
                    product().steps(),
                    added().stream()
                            .map(each -> kernel.launch().buffer(each.buffer()).type())
                            .toList(),
                    scales());
        }
    }

    private DispatchTable(String name, List<Row> rows) {
        this.name = name;
        this.rows = rows;
    }

    /**
     * The files of the table, by name.
     *
     * @param name of the table, as that of a kernel
     * @throws IllegalArgumentException if the kernels cannot be in one table, with the reason
     */
    public static Map<String, byte[]> of(String name, List<Row> rows, Set<ProgramFiles.Language> languages) {
        for (Row row : rows) {
            if (ProgramBuffers.products(row.kernel().launch()).size() > 1
                    || row.product().batch() > 1) {
                throw new IllegalArgumentException("a table has kernels of one GEMM each, and "
                        + row.kernel().name() + " computes several");
            }
            if (!row.operandKinds().equals(rows.getFirst().operandKinds())) {
                throw new IllegalArgumentException(
                        "the kernels of a table have the same types, layouts and epilogue, and "
                                + row.kernel().name() + " has others than "
                                + rows.getFirst().kernel().name());
            }
        }
        if (rows.stream().map(Row::shape).distinct().count() < rows.size()) {
            throw new IllegalArgumentException("a table has one kernel for each shape");
        }
        DispatchTable table = new DispatchTable(name, rows);
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (ProgramFiles.Language language : languages) {
            switch (language) {
                case C -> {
                    files.put(name + ".h", table.filled("dispatch.h.txt"));
                    files.put(name + ".c", table.filled("dispatch.c.txt"));
                    files.put("CMakeLists.txt", table.filled("dispatch_CMakeLists.txt.txt"));
                }
                case TORCH -> {
                    files.put(name + ".py", table.filled("dispatch.py.txt"));
                    files.put(
                            "selftest.py",
                            new Template("selftest.py.txt").text().getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        return files;
    }

    private byte[] filled(String resource) {
        boolean python = resource.contains(".py");
        return new Template(resource)
                .with("NAME", name)
                .with("GUARD", name.toUpperCase(Locale.ROOT))
                .with("CALL", "a, b" + words(", %s"))
                .with("ADDED_MEMBERS", words("    uint64_t %s;\n"))
                .with("SCALE_MEMBER", rows.getFirst().scales() ? "    float scale;\n" : "")
                .with(
                        "INCLUDES",
                        each(
                                "",
                                row -> "#include \"%1$s/%1$s.h\"\n"
                                        .formatted(row.kernel().name())))
                .with(
                        "FUNCTIONS",
                        IntStream.range(0, rows.size())
                                .mapToObj(this::functions)
                                .collect(Collectors.joining()))
                .with("ROWS", python ? each("", DispatchTable::pythonRow) : cRows())
                .with("TENSORS", tensors())
                .with(
                        "FOLDERS",
                        each("", row -> "add_subdirectory(" + row.kernel().name() + ")\n"))
                .with("KERNELS", each(" ", row -> row.kernel().name()))
                .text()
                .getBytes(StandardCharsets.UTF_8);
    }

    private String each(String between, Function<Row, String> text) {
        return rows.stream().map(text).collect(Collectors.joining(between));
    }

    private static String pythonRow(Row row) {
        return "    (" + row.shape() + "): \"" + row.kernel().name() + "\",  # " + row.origin() + "\n";
    }

    private String cRows() {
        return IntStream.range(0, rows.size())
                .mapToObj(i ->
                        "    /* %s */\n    {%s, \"%s\", open_%4$d, bind_%4$d, run_%4$d, unbind_%4$d, close_%4$d, %3$s_error},\n"
                                .formatted(
                                        rows.get(i).origin(),
                                        rows.get(i).shape(),
                                        rows.get(i).kernel().name(),
                                        i))
                .collect(Collectors.joining());
    }

    private String functions(int i) {
        Row row = rows.get(i);
        List<String> words = row.operands().stream().map(ProgramBuffers::word).toList();
        return new Template("dispatch_row.c.txt")
                .with("NAME", name)
                .with("ROW", i)
                .with("KERNEL", row.kernel().name())
                .with(
                        "OPERANDS",
                        ".%s = operands->a, .%s = operands->b, .%s = operands->d%s%s"
                                .formatted(
                                        words.get(0),
                                        words.get(1),
                                        words.get(2),
                                        row.added().stream()
                                                .map(each -> ", .%s = operands->%s"
                                                        .formatted(
                                                                ProgramBuffers.word(row.kernel()
                                                                        .launch()
                                                                        .buffer(each.buffer())),
                                                                each.word()))
                                                .collect(Collectors.joining()),
                                        row.scales() ? ", .scale = operands->scale" : ""))
                .text();
    }

    /** A text for each of what is added. */
    private String words(String text) {
        return rows.getFirst().added().stream()
                .map(each -> text.formatted(each.word()))
                .collect(Collectors.joining());
    }

    private String tensors() {
        Row row = rows.getFirst();
        List<BufferDescription> operands = row.operands();
        return "a: " + operands.get(0).type() + " [M, K]" + layout(row.product().a()) + ", b: "
                + operands.get(1).type() + " [N, K]" + layout(row.product().b()) + ", d = "
                + (row.scales() ? "scale * " : "") + "a @ b.mT"
                + (row.product().scales().isPresent() ? " * scale_a [M, 1] * scale_b [1, N]" : "")
                + (row.product().epilogue().isNone()
                        ? ""
                        : ", then " + row.product().epilogue());
    }

    private static String layout(Expectation.Operand operand) {
        return operand.transposed() ? " column by column" : "";
    }
}
