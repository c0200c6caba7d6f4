package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.problem.Suggestion;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads a problem: a shape, or a mapping with what is not as usual. */
record ProblemEntryReader(Complaints complaints) {

    private static final int MOST_BATCH = 1 << 20;
    private static final int MOST_SMS = 1024;

    Optional<ProblemEntry> read(String name, Node node) {
        if (!(node instanceof Node.Mapping mapping)) {
            return complaints
                    .read(() -> shapes(node))
                    .map(shapes -> new ProblemEntry(
                            name,
                            shapes,
                            1,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Scenario.QUIET));
        }
        complaints.only(
                mapping,
                List.of("shape", "batch", "dtype", "types", "major", "scales", "epilogue", "busySms", "overlap"));
        if (mapping.find("dtype").isPresent() && mapping.find("types").isPresent()) {
            complaints.add(mapping.get("types"), "give either 'dtype' or 'types', got both");
        }
        Optional<OperandTypes> types = complaints
                .find(mapping, "dtype", ProblemEntryReader::inputs)
                .or(() -> complaints.find(mapping, "types", ProblemEntryReader::types));
        Optional<OperandMajors> majors = complaints.find(mapping, "major", ProblemEntryReader::majors);
        Optional<Epilogue> epilogue = complaints.find(
                mapping, "epilogue", value -> Complaints.valid(value, () -> Epilogue.parse(value.text())));
        Optional<Scales> scales = complaints.find(
                mapping, "scales", value -> scales(value, types.orElse(OperandTypes.of(DataType.BF16))));
        int batch = complaints
                .find(mapping, "batch", value -> value.small(1, MOST_BATCH))
                .orElse(1);
        Scenario held = new Scenario(complaints
                .find(mapping, "busySms", value -> value.small(0, MOST_SMS))
                .orElse(0));
        boolean overlap = complaints.find(mapping, "overlap", Node::flag).orElse(false);
        return complaints
                .get(mapping, "shape", ProblemEntryReader::shapes)
                .map(shapes -> new ProblemEntry(
                        name, shapes, batch, types, majors, epilogue, scales, overlap ? held.overlapping() : held));
    }

    private static List<ProblemShape> shapes(Node node) {
        return Stream.of(node.text().split("\\+", -1))
                .map(shape -> Complaints.valid(node, () -> Suggestion.readShape(shape)))
                .toList();
    }

    private static Scales scales(Node node, OperandTypes types) {
        Scales scales = Complaints.valid(node, () -> Scales.parse(node.text()));
        scales.refusal(types).ifPresent(reason -> {
            throw node.at().wrong(reason);
        });
        return scales;
    }

    private static OperandTypes inputs(Node node) {
        return OperandTypes.of(type(node));
    }

    private static DataType type(Node node) {
        String text = node.text();
        return Complaints.valid(node, () -> DataType.parse(text));
    }

    private static OperandTypes types(Node node) {
        List<Node> items = node.items();
        if (items.size() != 3) {
            throw node.at().wrong("must be the types of A, B and D, such as [e4m3, e5m2, bf16], got " + node.shown());
        }
        return new OperandTypes(type(items.get(0)), type(items.get(1)), type(items.get(2)));
    }

    private static OperandMajors majors(Node node) {
        List<Node> items = node.items();
        if (items.size() != 2 && items.size() != 3) {
            throw node.at()
                    .wrong("must be the majors of A and B, and perhaps of D, such as [m, k], got " + node.shown());
        }
        return Complaints.valid(
                node,
                () -> new OperandMajors(
                        major(items.get(0)), major(items.get(1)), items.size() == 2 ? Major.N : major(items.get(2))));
    }

    private static Major major(Node node) {
        String text = node.text();
        return Stream.of(Major.values())
                .filter(major -> major.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> node.at().wrong("must be one of m, n and k, got " + node.shown()));
    }
}
