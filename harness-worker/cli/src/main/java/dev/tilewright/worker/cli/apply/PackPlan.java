package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.worker.cli.apply.KernelSource.Choice;
import dev.tilewright.worker.cli.apply.KernelSource.Left;
import dev.tilewright.worker.cli.apply.KernelSource.Row;
import dev.tilewright.worker.cli.apply.KernelSource.Taken;
import dev.tilewright.worker.cli.capture.CapturePlan;
import dev.tilewright.worker.cli.capture.CapturedProblem;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of a recording that a pack computes, and those that it leaves to PyTorch.
 *
 * @param products those that differ in M alone are one, by their share of time
 * @param left by their share of time
 */
public record PackPlan(List<Product> products, List<LeftOut> left) {

    /** A problem with one M or a range of M, and its kernels. */
    public record Served(CapturePlan.Line line, Taken kernels) {}

    /** A problem with one M or a range of M that PyTorch computes. */
    public record LeftOut(CapturePlan.Line line, String why) {}

    /**
     * A problem with all M that have a kernel.
     *
     * @param served first those with one M
     */
    public record Product(String family, List<Served> served) {

        double share() {
            return served.stream().mapToDouble(each -> each.line().share()).sum();
        }

        long launches() {
            return served.stream()
                    .mapToLong(each ->
                            each.line().row().calls() + each.line().row().replays())
                    .sum();
        }

        CapturedProblem captured() {
            return served.getFirst().line().problem();
        }

        /** The kernels in the order of M; that of one M goes before that of a range. */
        List<Row> rows() {
            List<Row> rows = new ArrayList<>();
            for (Served each : served) {
                each.kernels().rows().forEach(row -> rows.addAll(without(row, List.copyOf(rows))));
            }
            rows.sort(Comparator.comparingInt(Row::from));
            return rows;
        }

        /** The M of a row that no other row has. */
        private static List<Row> without(Row row, List<Row> others) {
            List<Row> rest = new ArrayList<>();
            int from = row.from();
            for (Row other :
                    others.stream().sorted(Comparator.comparingInt(Row::from)).toList()) {
                if (other.to() < from || other.from() > row.to()) {
                    continue;
                }
                if (other.from() > from) {
                    rest.add(new Row(from, other.from() - 1, row.config(), row.us(), row.pytorchUs()));
                }
                from = other.to() + 1;
            }
            if (from <= row.to()) {
                rest.add(new Row(from, row.to(), row.config(), row.us(), row.pytorchUs()));
            }
            return rest;
        }

        /** The problem with all M from the least to the most. */
        RangedProblem problem() {
            Problem like = served.getFirst().line().tuned();
            List<Row> rows = rows();
            return new RangedProblem(
                    new ShapeRange(
                            rows.getFirst().from(),
                            rows.getLast().to(),
                            like.shape().n(),
                            like.shape().k()),
                    like);
        }
    }

    /** M is a pitch of an A that lies along it, and so each M is a product of its own. */
    private record Key(CapturedProblem problem, String family, Optional<Integer> m) {}

    /** Asks for the kernels of each line that is worth it. */
    public static PackPlan of(CapturePlan plan, KernelSource source) throws ApiRefusedException, InterruptedException {
        Map<Key, List<Served>> served = new LinkedHashMap<>();
        List<LeftOut> left = new ArrayList<>();
        for (CapturePlan.Line line : plan.lines()) {
            switch (choice(line, source)) {
                case Taken kernels -> {
                    Optional<Integer> m = line.tuned().major().a() == Major.K
                            ? Optional.empty()
                            : Optional.of(line.row().m());
                    served.computeIfAbsent(new Key(line.problem(), kernels.family(), m), _ -> new ArrayList<>())
                            .add(new Served(line, kernels));
                }
                case Left(String why) -> left.add(new LeftOut(line, why));
            }
        }
        List<Product> products = new ArrayList<>();
        served.forEach((key, own) -> products.add(new Product(
                key.family(),
                own.stream()
                        .sorted(Comparator.comparing(each -> each.line().range().isPresent()))
                        .toList())));
        return new PackPlan(
                products.stream()
                        .sorted(Comparator.comparingDouble(Product::share).reversed())
                        .toList(),
                left);
    }

    private static Choice choice(CapturePlan.Line line, KernelSource source)
            throws ApiRefusedException, InterruptedException {
        Optional<String> refused = line.skipped().or(() -> Replaceable.refusal(line));
        if (refused.isPresent()) {
            return new Left(refused.get());
        }
        Optional<RangedProblem> range = line.ranged();
        return range.isPresent() ? source.choose(range.get()) : source.choose(line.tuned());
    }

    /** The part of the time of all recorded GEMMs that the products have, from 0 to 1; 0 where none is known. */
    public double share() {
        double own = products.stream().mapToDouble(Product::share).sum();
        double all =
                own + left.stream().mapToDouble(each -> each.line().share()).sum();
        return all == 0 ? 0 : own / all;
    }
}
