package dev.tilewright.launch.program;

import dev.tilewright.launch.Expectation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A module of PyTorch for the weights of a model: which exported operator computes a product of any number of rows. */
public final class WeightsTable {

    private WeightsTable() {}

    /**
     * The files of the table, by name.
     *
     * @param name of the table, as that of a program
     * @param programs each in the folder of its name
     * @throws IllegalArgumentException if two of them have the same weights
     */
    public static Map<String, byte[]> of(String name, List<RangeProgram> programs) {
        List<String> weights = programs.stream().map(WeightsTable::weights).toList();
        if (weights.stream().distinct().count() < weights.size()) {
            throw new IllegalArgumentException("a table has one range of M for each N and K, got " + weights);
        }
        String text = new Template("weights.py.txt")
                .with("NAME", name)
                .with(
                        "ROWS",
                        programs.stream()
                                .map(program -> "    (" + weights(program) + "): \"" + program.name() + "\",  # "
                                        + program.title() + "\n")
                                .collect(Collectors.joining()))
                .text();
        return Map.of(name + ".py", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String weights(RangeProgram program) {
        Expectation.Gemm product =
                ProgramBuffers.products(program.launch(program.least())).getFirst();
        return product.n() + ", " + product.k();
    }
}
