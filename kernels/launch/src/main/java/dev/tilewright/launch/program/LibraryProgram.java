package dev.tilewright.launch.program;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An algorithm of cublasLt as a library in C, which sets it by its numbers and holds for one version of the library.
 *
 * @param name of files and functions
 * @param title a line on what it is
 * @param notes lines on where it comes from
 * @param problem in words
 * @param version of the library that it was measured with, as {@code cublasLtGetVersion} says it
 * @param algorithm its id
 * @param attributes what is set of it, in the order of the library's numbers
 * @param extents of the GEMM
 * @param a of it, as is {@code b} and {@code d}
 * @param scales of A and B that a launch is passed; empty if none are
 */
public record LibraryProgram(
        String name,
        String title,
        List<String> notes,
        String problem,
        long version,
        int algorithm,
        List<Attribute> attributes,
        Extents extents,
        Matrix a,
        Matrix b,
        Matrix d,
        Optional<LibraryScales> scales) {

    /** How many GEMMs of which extents; {@code fast} if sums of 8-bit products may stay in the tensor cores. */
    public record Extents(int m, int n, int k, int batch, boolean fast) {}

    /**
     * An attribute of an algorithm, as it is set.
     *
     * @param constant of the library's header, behind {@code CUBLASLT_ALGO_CONFIG_}
     * @param type in C
     */
    public record Attribute(String constant, String type, int value) {}

    /**
     * A matrix as the library sees it: column by column.
     *
     * @param type {@code cudaDataType} by its name
     * @param bytes of an element
     * @param one the bits of 1
     * @param rows neighbours in memory, and the leading dimension
     * @param transposed whether it is multiplied as its transpose
     */
    public record Matrix(String type, int bytes, int one, long rows, long columns, boolean transposed) {

        private String operation() {
            return transposed ? "CUBLAS_OP_T" : "CUBLAS_OP_N";
        }
    }

    public LibraryProgram {
        KernelProgram.requireName(name);
        KernelProgram.requireRemark(title);
        notes = List.copyOf(notes);
        notes.forEach(KernelProgram::requireRemark);
        attributes = List.copyOf(attributes);
    }

    /** All files, by name. */
    public Map<String, byte[]> files() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(name + ".h", filled("library.h.txt"));
        files.put(name + ".c", filled("library.c.txt"));
        files.put(name + "_test.c", filled("library_test.c.txt"));
        files.put("CMakeLists.txt", filled("library_CMakeLists.txt.txt"));
        return files;
    }

    private byte[] filled(String resource) {
        return LibraryScales.fill(new Template(resource), scales)
                .with("NAME", name)
                .with("GUARD", name.toUpperCase(Locale.ROOT))
                .with("TITLE", title)
                .with("NOTES", notes.stream().map(note -> " * " + note + "\n").collect(Collectors.joining()))
                .with("PROBLEM", problem)
                .with("VERSION", version)
                .with("ALGORITHM", algorithm)
                .with("ATTRIBUTES", settings())
                .with("FAST", extents.fast() ? 1 : 0)
                .with("BATCH", extents.batch())
                .with("M", extents.m())
                .with("N", extents.n())
                .with("K", extents.k())
                .with("OPERATION_FIRST", b.operation())
                .with("OPERATION_SECOND", a.operation())
                .with("FIRST", initializer(b))
                .with("SECOND", initializer(a))
                .with("RESULT", initializer(d))
                .text()
                .getBytes(StandardCharsets.UTF_8);
    }

    private String settings() {
        return attributes.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "    {CUBLASLT_ALGO_CONFIG_%s, \"%s\", %d, sizeof(%s)},%n",
                        each.constant(),
                        each.constant(),
                        each.value(),
                        each.type()))
                .collect(Collectors.joining());
    }

    private static String initializer(Matrix matrix) {
        return String.format(
                Locale.ROOT,
                "{%s, %d, 0x%x, %d, %d}",
                matrix.type(),
                matrix.bytes(),
                matrix.one(),
                matrix.rows(),
                matrix.columns());
    }
}
