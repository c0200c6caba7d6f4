package dev.tilewright.space.vendor;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of the library's algorithms, by the types of the operands; {@code packaging/cublaslt-exhaustive.py
 * --capabilities} writes it. The library that is installed has the last word.
 *
 * @param byTypes the table of each types, at least that of bf16
 */
public record VendorCapabilities(Map<OperandTypes, List<VendorCapability>> byTypes) {

    private static final String RESOURCE = "cublaslt-capabilities.csv";

    private static final OperandTypes USUAL = OperandTypes.of(DataType.BF16);

    public VendorCapabilities {
        byTypes = Map.copyOf(byTypes);
        if (!byTypes.containsKey(USUAL)) {
            throw new IllegalArgumentException("there must be a table for " + USUAL + ", got " + byTypes.keySet());
        }
    }

    /** The table that is stored with the program. */
    public static VendorCapabilities stored() {
        return VendorTable.read(RESOURCE, VendorCapabilities::read);
    }

    /**
     * Reads lines of three types, the id, tiles, stages and four numbers; a run of ids is FIRST-LAST. Comments begin
     * with {@code #}, the head with {@code a,}.
     */
    static VendorCapabilities read(Stream<String> lines) {
        Map<OperandTypes, List<VendorCapability>> byTypes = new LinkedHashMap<>();
        lines.filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("a,"))
                .map(line -> line.split(",", -1))
                .forEach(cells -> byTypes.computeIfAbsent(types(cells), _ -> new ArrayList<>())
                        .add(capability(cells)));
        return new VendorCapabilities(byTypes);
    }

    private static OperandTypes types(String[] cells) {
        return new OperandTypes(DataType.parse(cells[0]), DataType.parse(cells[1]), DataType.parse(cells[2]));
    }

    private static VendorCapability capability(String[] cells) {
        int[] numbers = IntStream.range(6, 10)
                .map(cell -> Integer.parseInt(cells[cell]))
                .toArray();
        return new VendorCapability(
                Integer.parseInt(cells[3]),
                ids(cells[4]),
                ids(cells[5]),
                numbers[0] != 0,
                numbers[1],
                numbers[2],
                numbers[3]);
    }

    private static List<Integer> ids(String cell) {
        return Arrays.stream(cell.split(" "))
                .map(run -> run.split("-"))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    /** The algorithms for some types; where there is no table for them, those for bf16. */
    public List<VendorCapability> of(OperandTypes types) {
        return byTypes.getOrDefault(types, byTypes.get(USUAL));
    }
}
