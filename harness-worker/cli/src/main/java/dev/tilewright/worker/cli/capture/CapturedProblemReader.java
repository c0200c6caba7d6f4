package dev.tilewright.worker.cli.capture;

import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.worker.cli.capture.CapturedProblem.Row;
import dev.tilewright.worker.cli.capture.CapturedProblem.Terms;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads a problem of {@code capture.json}.
 *
 * @param profiled whether the recording has a trace; only then rows have shares of its time
 */
record CapturedProblemReader(Complaints complaints, boolean profiled) {

    private static final int MOST = Integer.MAX_VALUE;

    private static final String NOT_ALIGNED = "operands do not begin at a multiple of 16 bytes";

    Optional<CapturedProblem> read(Node node) {
        return complaints.read(node::mapping).flatMap(this::problem);
    }

    private Optional<CapturedProblem> problem(Node.Mapping node) {
        complaints.only(
                node,
                List.of(
                        "n",
                        "k",
                        "batch",
                        "types",
                        "major",
                        "epilogue",
                        "scales",
                        "aligned",
                        "why",
                        "ops",
                        "behind",
                        "rows"));
        Optional<Integer> n = complaints.get(node, "n", value -> value.small(1, MOST));
        Optional<Integer> k = complaints.get(node, "k", value -> value.small(1, MOST));
        Optional<Integer> batch = complaints.get(node, "batch", value -> value.small(1, MOST));
        Optional<Boolean> aligned = complaints.get(node, "aligned", Node::flag);
        complaints.find(node, "behind", this::counts);
        Optional<List<String>> ops = complaints.get(
                node, "ops", value -> value.items().stream().map(Node::text).toList());
        Optional<String> why = complaints.find(node, "why", Node::text);
        // What no problem says may have types that Tilewright does not know.
        Optional<OperandTypes> types = value(node, "types", why, OperandTypes::parse);
        Optional<OperandMajors> major = value(node, "major", why, OperandMajors::parse);
        Optional<Epilogue> epilogue = value(node, "epilogue", why, Epilogue::parse);
        Optional<Scales> scales = value(node, "scales", why, Scales::parse);
        if (types.isPresent() && scales.isPresent()) {
            scales.get().refusal(types.get()).ifPresent(refusal -> complaints.add(node.get("scales"), refusal));
        }
        Optional<List<Node>> items = complaints.get(node, "rows", Node::items);
        List<Row> rows = items.orElse(List.of()).stream()
                .flatMap(row -> complaints.read(() -> row(row)).stream())
                .toList();
        if (items.isPresent() && items.get().isEmpty()) {
            complaints.add(node.get("rows"), "needs at least one row");
        }
        if (n.isEmpty() || k.isEmpty() || batch.isEmpty() || ops.isEmpty()) {
            return Optional.empty();
        }
        // Types and the rest are read all the same: they are those of a problem, and must be right.
        boolean unaligned = why.isEmpty() && aligned.equals(Optional.of(false));
        Optional<String> reason = unaligned ? Optional.of(NOT_ALIGNED) : why;
        Optional<Terms> terms =
                !unaligned && types.isPresent() && major.isPresent() && epilogue.isPresent() && scales.isPresent()
                        ? Optional.of(new Terms(batch.get(), types.get(), major.get(), epilogue.get(), scales.get()))
                        : Optional.empty();
        return Optional.of(
                new CapturedProblem(ops.get(), n.get(), k.get(), said(node, batch.get()), terms, reason, rows));
    }

    private <T> Optional<T> value(Node.Mapping node, String key, Optional<String> why, Function<String, T> reader) {
        Optional<String> text = complaints.get(node, key, Node::text);
        return why.isPresent()
                ? Optional.empty()
                : text.flatMap(
                        said -> complaints.read(() -> Complaints.valid(node.get(key), () -> reader.apply(said))));
    }

    /** Types, and what is not as usual. */
    private String said(Node.Mapping node, int batch) {
        StringBuilder said = new StringBuilder(text(node, "types"));
        if (batch > 1) {
            said.append(" x ").append(batch);
        }
        if (!text(node, "major").equals("k,k,n")) {
            said.append(" major ").append(text(node, "major"));
        }
        if (!text(node, "scales").equals("tensor")) {
            said.append(" scales ").append(text(node, "scales"));
        }
        if (!text(node, "epilogue").isEmpty()) {
            said.append(" + ").append(text(node, "epilogue"));
        }
        return said.toString();
    }

    private static String text(Node.Mapping node, String key) {
        return node.find(key)
                .map(value -> value instanceof Node.Scalar scalar ? scalar.written() : "")
                .orElse("");
    }

    private boolean counts(Node node) {
        node.mapping().entries().forEach((function, calls) -> complaints.read(() -> calls.integer(1, Long.MAX_VALUE)));
        return true;
    }

    private Row row(Node node) {
        Node.Mapping row = complaints.only(node.mapping(), List.of("m", "calls", "replays", "timeShare", "us"));
        if (!profiled && row.find("timeShare").isPresent()) {
            throw row.get("timeShare").at().wrong("is given, but nothing was profiled: there is no 'gpu'");
        }
        return new Row(
                row.get("m").small(1, MOST),
                row.get("calls").integer(0, Long.MAX_VALUE / 4),
                row.get("replays").integer(0, Long.MAX_VALUE / 4),
                complaints.find(row, "timeShare", CaptureReader::share),
                complaints.find(row, "us", CaptureReader::notNegative));
    }
}
