package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.sweep.StoredSweep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fits the free constants to the times of sweeps, and to the cycles that were counted of four kernels: least squares of
 * log(predicted / measured), every sweep with the same weight, single rows with less the further they are off (beyond a
 * tenth, their error counts and not its square), by Levenberg and Marquardt over the logarithms of the constants.
 * Deterministic: same sweeps, same constants, on every machine.
 */
final class ConstantFit {

    private static final int MOST_STEPS = 60;
    /** Of a sweep, evenly spread: more would not change the constants, only take longer. */
    private static final int MOST_ROWS = 200;

    private static final double DIFFERENCE = 1e-3;
    private static final double OUTLIER = 0.1;
    /** No constant moves further from where the fit starts than this factor, in logarithms. */
    private static final double FURTHEST = 2;

    /** The counted cycles weigh nearly as much as all sweeps, which are 23: no clock blurs them. */
    private static final double COUNTED_WEIGHT = 16;

    private final GpuConstants start;
    private final List<Row> rows = new ArrayList<>();

    /** Rows from one index to another that were timed beside an anchor. */
    private record Anchored(int from, int to) {}

    private final List<Anchored> anchored = new ArrayList<>();

    /** A time, or cycles that somebody counted; in nanoseconds or cycles. */
    private record Row(Problem problem, Config config, boolean cycles, double measured, double weight) {

        double error(CostModel model) {
            if (cycles) {
                CostModel.Cost cost = model.settled(problem, config);
                return StrictMath.log(cost.ns() * cost.clockMhz() / 1e3 / measured);
            }
            return StrictMath.log(model.screened(problem, config).ns() / measured);
        }
    }

    private ConstantFit(GpuConstants start, List<StoredSweep> sweeps) {
        this.start = start;
        for (StoredSweep sweep : sweeps) {
            List<StoredSweep.Timed> timed = sweep.timed();
            int stride = Math.ceilDiv(timed.size(), MOST_ROWS);
            double each = Math.sqrt((double) stride / timed.size());
            int from = rows.size();
            for (int i = 0; i < timed.size(); i += stride) {
                StoredSweep.Timed row = timed.get(i);
                rows.add(new Row(
                        Problem.of(sweep.shape(), sweep.dtype()),
                        StoredSweep.asLaunched(row.config()),
                        false,
                        row.ns(),
                        each));
            }
            if (timed.stream().allMatch(row -> row.time().anchorRatio() != null)) {
                anchored.add(new Anchored(from, rows.size()));
            }
        }
        Problem counted = Configs.bf16("8192x8192x8192");
        if (sweeps.stream()
                .anyMatch(sweep -> Problem.of(sweep.shape(), sweep.dtype()).equals(counted))) {
            double weight = Math.sqrt(COUNTED_WEIGHT / MeasuredKernel.COUNTED.size());
            MeasuredKernel.COUNTED.forEach(
                    (config, cycles) -> rows.add(new Row(counted, config, true, cycles, weight)));
        }
    }

    /**
     * The constants that fit the sweeps best. The counted cycles are of the shape 8192^3, and take part only where its
     * sweep does.
     *
     * @param gpu for the constants that are not fitted
     */
    static GpuConstants fit(GpuConstants gpu, List<StoredSweep> sweeps) {
        return new ConstantFit(FreeConstants.guessed(gpu), sweeps).fit();
    }

    private GpuConstants fit() {
        int count = FreeConstants.NAMES.size();
        double[] logs = new double[count];
        double[] errors = errors(logs);
        double cost = cost(errors);
        double damping = 1e-2;
        for (int step = 0; step < MOST_STEPS; step++) {
            double[][] slopes = slopes(logs, errors);
            double before = cost;
            while (damping < 1e6) {
                double[] tried = add(logs, solve(slopes, errors, damping));
                double[] triedErrors = errors(tried);
                double triedCost = cost(triedErrors);
                if (triedCost < cost) {
                    logs = tried;
                    errors = triedErrors;
                    cost = triedCost;
                    damping = Math.max(1e-6, damping / 5);
                    break;
                }
                damping *= 5;
            }
            if (before - cost < 1e-4 * before) {
                break;
            }
        }
        return constants(logs);
    }

    private GpuConstants constants(double[] logs) {
        double[] values = FreeConstants.of(start);
        for (int i = 0; i < values.length; i++) {
            values[i] *= StrictMath.exp(logs[i]);
        }
        return FreeConstants.with(start, values);
    }

    /**
     * log(predicted / measured) of every row; in a sweep of ratios to an anchor, beyond what all of them are off, for
     * that is how fast the anchor's GPU was.
     */
    private double[] errors(double[] logs) {
        CostModel model = CostModel.of(constants(logs));
        double[] errors =
                rows.parallelStream().mapToDouble(row -> row.error(model)).toArray();
        for (Anchored sweep : anchored) {
            double mean =
                    Arrays.stream(errors, sweep.from(), sweep.to()).average().orElseThrow();
            for (int row = sweep.from(); row < sweep.to(); row++) {
                errors[row] -= mean;
            }
        }
        return errors;
    }

    /** The derivative of each error by each logarithm of a constant. */
    private double[][] slopes(double[] logs, double[] errors) {
        double[][] slopes = new double[logs.length][];
        for (int i = 0; i < logs.length; i++) {
            double[] moved = logs.clone();
            moved[i] += DIFFERENCE;
            double[] there = errors(moved);
            slopes[i] = new double[errors.length];
            for (int row = 0; row < errors.length; row++) {
                slopes[i][row] = (there[row] - errors[row]) / DIFFERENCE;
            }
        }
        return slopes;
    }

    private double cost(double[] errors) {
        double sum = 0;
        for (int row = 0; row < errors.length; row++) {
            double scaled = errors[row] / OUTLIER;
            sum += square(rows.get(row).weight()) * 2 * (Math.sqrt(1 + scaled * scaled) - 1);
        }
        return sum;
    }

    private double weight(int row, double error) {
        return square(rows.get(row).weight()) / Math.sqrt(1 + square(error / OUTLIER));
    }

    private static double square(double value) {
        return value * value;
    }

    private static double[] add(double[] logs, double[] step) {
        double[] sum = new double[logs.length];
        Arrays.setAll(sum, i -> Math.clamp(logs[i] + step[i], -FURTHEST, FURTHEST));
        return sum;
    }

    /** The step to where the weighted squares are least, if the errors were straight: (S + damping * diag S) x = -g. */
    private double[] solve(double[][] slopes, double[] errors, double damping) {
        int count = slopes.length;
        double[][] matrix = new double[count][count + 1];
        for (int row = 0; row < errors.length; row++) {
            double weight = weight(row, errors[row]);
            for (int i = 0; i < count; i++) {
                double scaled = weight * slopes[i][row];
                for (int j = 0; j < count; j++) {
                    matrix[i][j] += scaled * slopes[j][row];
                }
                matrix[i][count] -= scaled * errors[row];
            }
        }
        for (int i = 0; i < count; i++) {
            matrix[i][i] = matrix[i][i] * (1 + damping) + 1e-9;
        }
        return eliminated(matrix);
    }

    /** Gauss, with the largest pivot of each column; the matrix is positive definite. */
    private static double[] eliminated(double[][] matrix) {
        int count = matrix.length;
        for (int column = 0; column < count; column++) {
            int pivot = column;
            for (int row = column + 1; row < count; row++) {
                if (Math.abs(matrix[row][column]) > Math.abs(matrix[pivot][column])) {
                    pivot = row;
                }
            }
            double[] swapped = matrix[column];
            matrix[column] = matrix[pivot];
            matrix[pivot] = swapped;
            for (int row = 0; row < count; row++) {
                double factor = row == column ? 0 : matrix[row][column] / matrix[column][column];
                for (int i = column; i <= count; i++) {
                    matrix[row][i] -= factor * matrix[column][i];
                }
            }
        }
        double[] solution = new double[count];
        Arrays.setAll(solution, i -> matrix[i][count] / matrix[i][i]);
        return solution;
    }
}
