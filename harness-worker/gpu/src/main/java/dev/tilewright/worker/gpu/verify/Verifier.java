package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.ComparedElements;
import dev.tilewright.model.problem.Major;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/** Poisons outputs before a kernel runs and judges them after. */
public final class Verifier {

    /** Of an area, on each side: enough for a problem of one shape. */
    private static final long MIN_BYTES = 64 << 10;

    private final Gpu gpu;
    private final Oracle oracle;
    private final Deque<ResultArea> areas = new ArrayDeque<>();

    public Verifier(Gpu gpu, Oracle oracle) {
        this.gpu = gpu;
        this.oracle = oracle;
    }

    /**
     * The verdict on some outputs.
     *
     * @param errorRatio the largest of all; NaN if an element is not a number
     * @param complaints one line for each output that is not right; empty if all are
     */
    public record Verdict(double errorRatio, List<String> complaints) {
        public boolean passes() {
            return complaints.isEmpty();
        }
    }

    /** Poisons the outputs of the sets and writes their red zones anew. */
    public void poison(List<OperandSet> sets) {
        sets.forEach(set -> set.d().refill(ComparedElements.POISON));
    }

    /**
     * The expected output of a kernel.
     *
     * @param kept what it leaves as it was
     */
    public record Expected(Reference reference, List<Reference.Kept> kept) {

        /** The problem with its epilogue, and no more. */
        public static Expected ofProblem(TestData data) {
            return new Expected(data.ofProblem(), List.of());
        }
    }

    /** Judges every element of the outputs of the sets, and their red zones, of a kernel that does no more. */
    public Verdict judge(TestData data, List<OperandSet> sets) {
        return judge(data, Expected.ofProblem(data), sets);
    }

    /** The same, by what is expected of a kernel. */
    public Verdict judge(TestData data, Expected expected, List<OperandSet> sets) {
        return begin(data, expected, sets).verdict();
    }

    /** Puts all that a verdict needs into the stream, and returns at once. */
    public Judgement begin(TestData data, Expected expected, List<OperandSet> sets) {
        List<Stretch> stretches = Stretch.of(data.layout());
        Reference reference = expected.reference();
        long compared = oracle.comparisonBytes() * stretches.size() * sets.size();
        long comparisons = compared + (long) Long.BYTES * expected.kept().size();
        ResultArea area = area(comparisons, comparisons + (long) GuardedBuffer.FETCHED_BYTES * sets.size());
        long result = area.device().address();
        long zones = comparisons;
        for (OperandSet set : sets) {
            for (Stretch stretch : stretches) {
                oracle.compare(
                        data.problem().types().d(),
                        stretch.elements(),
                        data.addressOfD(set, stretch.first()),
                        reference.valueAt(stretch.first().d()),
                        reference.allowanceAt(stretch.first().d()),
                        reference.relative(),
                        reference.scale().of(stretch.first().shape().k()),
                        result);
                result += oracle.comparisonBytes();
            }
            set.d().fetchZones(area.host(), zones);
            zones += GuardedBuffer.FETCHED_BYTES;
        }
        oracle.checksums(expected.kept(), result);
        gpu.fetch(area.device().address(), area.host(), 0, comparisons);
        area.copied().record();
        return new Judgement(data, expected.kept(), stretches, sets.size(), comparisons, area);
    }

    /** Areas are few: one for each judgement under way. One that is too small makes room for a larger one. */
    private ResultArea area(long deviceBytes, long hostBytes) {
        ResultArea area = areas.pollLast();
        if (area != null && area.fits(deviceBytes, hostBytes)) {
            return area;
        }
        if (area != null) {
            area.close();
        }
        return ResultArea.allocate(gpu, Math.max(MIN_BYTES, deviceBytes), Math.max(MIN_BYTES, hostBytes));
    }

    /** A verdict on its way. */
    public final class Judgement {
        private final TestData data;
        private final List<Reference.Kept> kept;
        private final List<Stretch> stretches;
        private final int sets;
        private final long comparisons;
        private final ResultArea area;

        private Judgement(
                TestData data,
                List<Reference.Kept> kept,
                List<Stretch> stretches,
                int sets,
                long comparisons,
                ResultArea area) {
            this.data = data;
            this.kept = kept;
            this.stretches = stretches;
            this.sets = sets;
            this.comparisons = comparisons;
            this.area = area;
        }

        /** Waits until the stream has come so far, and says what was found; asked once. */
        public Verdict verdict() {
            area.copied().await();
            byte[] found = new byte[Math.toIntExact(comparisons)];
            area.host().read(0, found);
            ByteBuffer results = ByteBuffer.wrap(found);
            double errorRatio = 0;
            List<String> complaints = new ArrayList<>();
            byte[] zones = new byte[GuardedBuffer.FETCHED_BYTES];
            for (int set = 0; set < sets; set++) {
                ElementErrors comparison = next(results);
                errorRatio = Math.max(errorRatio, comparison.errorRatio());
                if (!comparison.passes()) {
                    complaints.add(complaint(data, comparison));
                }
                area.host().read(comparisons + (long) set * zones.length, zones);
                GuardedBuffer.damage(zones).ifPresent(complaints::add);
            }
            results.order(ByteOrder.LITTLE_ENDIAN);
            for (Reference.Kept each : kept) {
                if (results.getLong() != each.checksum()) {
                    complaints.add(each.name() + " is expected to stay unchanged, and was written to");
                }
            }
            areas.addLast(area);
            return new Verdict(errorRatio, List.copyOf(complaints));
        }

        /** All GEMMs of a set, elements numbered through. */
        private ElementErrors next(ByteBuffer results) {
            ElementErrors all = null;
            for (Stretch stretch : stretches) {
                ElementErrors one =
                        oracle.comparison(results).after(stretch.first().d());
                results.position(results.position() + Math.toIntExact(oracle.comparisonBytes()));
                all = all == null ? one : all.and(one);
            }
            return Objects.requireNonNull(all);
        }
    }

    /** Equal GEMMs one behind the other, such as those of a batch: their outputs are compared as one. */
    private record Stretch(OperandLayout.Gemm first, int count) {

        static List<Stretch> of(OperandLayout layout) {
            List<Stretch> stretches = new ArrayList<>();
            for (OperandLayout.Gemm gemm : layout.gemms()) {
                if (!stretches.isEmpty() && stretches.getLast().takes(gemm)) {
                    Stretch longer = stretches.removeLast();
                    stretches.add(new Stretch(longer.first, longer.count + 1));
                } else {
                    stretches.add(new Stretch(gemm, 1));
                }
            }
            return stretches;
        }

        private boolean takes(OperandLayout.Gemm gemm) {
            return gemm.shape().equals(first.shape());
        }

        long elements() {
            return (long) count * first.shape().m() * first.shape().n();
        }
    }

    private static String complaint(TestData data, ElementErrors comparison) {
        return "%d of %d elements wrong, %d still poisoned, largest error %s of its bound, the first at %s"
                .formatted(
                        comparison.wrong(),
                        data.layout().elementsD(),
                        comparison.poisoned(),
                        comparison.errorRatio(),
                        place(data, comparison.firstWrong()));
    }

    private static String place(TestData data, long element) {
        OperandLayout layout = data.layout();
        if (element < 0) {
            return "row -1, column -1";
        }
        int index = layout.gemmOf(element);
        OperandLayout.Gemm gemm = layout.gemms().get(index);
        long own = element - gemm.d();
        boolean byRows = data.problem().major().d() == Major.N;
        int line = byRows ? gemm.shape().n() : gemm.shape().m();
        long row = byRows ? own / line : own % line;
        long column = byRows ? own % line : own / line;
        return "row " + row + ", column " + column + (layout.gemms().size() == 1 ? "" : " of GEMM " + index);
    }
}
