package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.worker.cli.apply.KernelSource.Left;
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

    /**
     * A problem with the M of the recording that have a kernel.
     *
     * @param rows in the order of M
     */
    public record Product(String family, List<Row> rows) {

        double share() {
            return rows.stream().mapToDouble(row -> row.line().share()).sum();
        }

        /** The problem with all M from the least to the most. */
        RangedProblem problem() {
            Problem like = rows.getFirst().line().tuned();
            int most = rows.getLast().line().row().m();
            return new RangedProblem(
                    new ShapeRange(
                            like.shape().m(),
                            most,
                            like.shape().n(),
                            like.shape().k()),
                    like);
        }
    }

    /** A problem with one M, and its kernel. */
    public record Row(CapturePlan.Line line, Taken kernel) {}

    /** A problem with one M that PyTorch computes. */
    public record LeftOut(CapturePlan.Line line, String why) {}

    /** M is a pitch of an A that lies along it, and so each M is a product of its own. */
    private record Key(CapturedProblem problem, String family, Optional<Integer> m) {}

    /** Asks for the kernel of each line that is worth it. */
    public static PackPlan of(CapturePlan plan, KernelSource source) throws ApiRefusedException, InterruptedException {
        Map<Key, List<Row>> rows = new LinkedHashMap<>();
        List<LeftOut> left = new ArrayList<>();
        for (CapturePlan.Line line : plan.lines()) {
            Optional<String> refused = line.skipped().or(() -> Replaceable.refusal(line.tuned()));
            switch (refused.isPresent() ? new Left(refused.get()) : source.choose(line.tuned())) {
                case Taken kernel -> {
                    Optional<Integer> m = line.tuned().major().a() == Major.K
                            ? Optional.empty()
                            : Optional.of(line.row().m());
                    rows.computeIfAbsent(new Key(line.problem(), kernel.family(), m), _ -> new ArrayList<>())
                            .add(new Row(line, kernel));
                }
                case Left(String why) -> left.add(new LeftOut(line, why));
            }
        }
        List<Product> products = new ArrayList<>();
        rows.forEach((key, own) -> products.add(new Product(
                key.family(),
                own.stream()
                        .sorted(Comparator.comparingInt(row -> row.line().row().m()))
                        .toList())));
        return new PackPlan(
                products.stream()
                        .sorted(Comparator.comparingDouble(Product::share).reversed())
                        .toList(),
                left);
    }

    /** The part of the time of all recorded GEMMs that the products have, from 0 to 1; 0 where none is known. */
    public double served() {
        double own = products.stream().mapToDouble(Product::share).sum();
        double all =
                own + left.stream().mapToDouble(each -> each.line().share()).sum();
        return all == 0 ? 0 : own / all;
    }
}
