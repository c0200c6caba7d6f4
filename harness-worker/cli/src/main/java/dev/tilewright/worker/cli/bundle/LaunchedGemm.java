package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.capture.LaunchedKernel.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The operands of a GEMM among the tensors of recorded launches, D[M,N] = A[M,K] B[K,N]. D is what the kernel stores. A
 * and B are told by their extents, which must fit in every launch.
 *
 * @param bias the vector that is added; empty if there is none
 * @param sure whether no other choice of A, B and their orientations fits all launches and the names of strides
 */
record LaunchedGemm(Operand a, Operand b, Operand d, Optional<Operand> bias, boolean sure) {

    private static final Map<String, String> TYPES =
            Map.of("*fp16", "f16", "*bf16", "bf16", "*fp32", "f32", "*fp8e4nv", "e4m3", "*fp8e5", "e5m2");

    private static final Pattern UNIT_STRIDE = Pattern.compile("^stride_?([a-z])_?([mnk])$");

    /**
     * @param argument its index
     * @param type as a bundle writes it
     * @param major the dimension whose neighbours are neighbours in memory: {@code m}, {@code n} or {@code k}; of a
     *     bias the dimension that it has
     */
    record Operand(int argument, String type, String major) {}

    /** Extents of one launch. */
    record Sizes(long m, long n, long k) {}

    /** The arguments that are A and B, and whether they are passed as [K,M] and [N,K]. */
    private record Choice(int a, boolean turnedA, int b, boolean turnedB, int d) {

        Optional<Sizes> sizes(LaunchSample sample) {
            if (IntStream.of(a, b, d)
                    .anyMatch(argument -> sample.matrix(argument).isEmpty())) {
                return Optional.empty();
            }
            List<Long> first = extents(sample, a, turnedA);
            List<Long> second = extents(sample, b, turnedB);
            List<Long> third = extents(sample, d, false);
            boolean fits = first.getFirst().equals(third.getFirst())
                    && first.getLast().equals(second.getFirst())
                    && second.getLast().equals(third.getLast());
            return fits ? Optional.of(new Sizes(third.getFirst(), third.getLast(), first.getLast())) : Optional.empty();
        }

        private static List<Long> extents(LaunchSample sample, int argument, boolean turned) {
            List<Long> shape = sample.matrix(argument).orElseThrow();
            return turned ? shape.reversed() : shape;
        }
    }

    /** @throws NoGemmException if the tensors show none */
    static LaunchedGemm of(List<LaunchSample> samples) {
        LaunchSample first = samples.getFirst();
        TritonIr ir = first.variant().ir();
        if (!ir.equals(TritonIr.NONE) && !ir.multiplies()) {
            throw new NoGemmException("its IR has no tt.dot");
        }
        List<Integer> pointers = those(first, argument -> first.tensor(argument).isPresent());
        for (int pointer : pointers) {
            long dimensions = first.tensor(pointer).orElseThrow().shape().size();
            if (dimensions > 2 || dimensions == 0) {
                throw new NoGemmException(first.name(pointer) + " has " + dimensions
                        + " dimensions; operands of a GEMM have 2, a bias has 1");
            }
        }
        List<Integer> matrices = those(first, argument -> first.matrix(argument).isPresent());
        List<Integer> stored = ir.stored().isEmpty()
                ? matrices.subList(Math.max(0, matrices.size() - 1), matrices.size())
                : List.copyOf(ir.stored());
        if (stored.size() != 1 || !matrices.contains(stored.getFirst())) {
            throw new NoGemmException("it must store one matrix, and stores " + names(first, stored));
        }
        int d = stored.getFirst();
        List<Integer> read = matrices.stream().filter(argument -> argument != d).toList();
        if (read.size() != 2) {
            throw new NoGemmException("it must read two matrices, and takes " + names(first, read));
        }
        List<Choice> choices = choices(read, d).stream()
                .filter(choice ->
                        samples.stream().allMatch(sample -> choice.sizes(sample).isPresent()))
                .toList();
        if (choices.isEmpty()) {
            throw new NoGemmException("the extents of " + names(first, read) + " and " + names(first, List.of(d))
                    + " fit no [M,K], [K,N] and [M,N]");
        }
        List<Integer> vectors =
                pointers.stream().filter(pointer -> !matrices.contains(pointer)).toList();
        List<LaunchedGemm> fitting = choices.stream()
                .map(choice -> of(samples, choice, vectors, choices.size() == 1))
                .toList();
        List<LaunchedGemm> named =
                fitting.stream().filter(gemm -> gemm.isNamed(first)).toList();
        return named.size() == 1 ? named.getFirst().asSure() : named.isEmpty() ? fitting.getFirst() : named.getFirst();
    }

    private static LaunchedGemm of(List<LaunchSample> samples, Choice choice, List<Integer> vectors, boolean sure) {
        return new LaunchedGemm(
                operand(samples, choice.a(), choice.turnedA(), "m", "k"),
                operand(samples, choice.b(), choice.turnedB(), "k", "n"),
                operand(samples, choice.d(), false, "m", "n"),
                bias(samples, vectors, choice),
                sure);
    }

    private LaunchedGemm asSure() {
        return new LaunchedGemm(a, b, d, bias, true);
    }

    /** Whether names of strides that are 1, such as {@code stride_bk}, name the major dimensions. */
    private boolean isNamed(LaunchSample sample) {
        List<MatchResult> ones = sample.kernel().specialised().entrySet().stream()
                .filter(argument -> argument.getValue().equals("1"))
                .flatMap(argument -> UNIT_STRIDE
                        .matcher(argument.getKey().toLowerCase(Locale.ROOT))
                        .results())
                .toList();
        return ones.stream()
                .allMatch(one -> matrices().stream()
                        .filter(operand -> sample.letter(operand.argument()).equals(one.group(1)))
                        .allMatch(operand -> operand.major().equals(one.group(2))));
    }

    /** Extents of a launch of this GEMM. */
    Sizes sizes(LaunchSample sample) {
        List<Long> result = sample.matrix(d.argument()).orElseThrow();
        List<Long> left = sample.matrix(a.argument()).orElseThrow();
        long m = result.getFirst();
        long n = result.getLast();
        // A is M x K, whichever of the two comes first.
        long elements = left.getFirst() * left.getLast();
        return new Sizes(m, n, m == 0 ? 0 : elements / m);
    }

    /** A, B and D. */
    List<Operand> matrices() {
        return List.of(a, b, d);
    }

    private static List<Choice> choices(List<Integer> read, int d) {
        List<Choice> choices = new ArrayList<>();
        for (List<Integer> pair : List.of(read, read.reversed())) {
            for (boolean turnedA : new boolean[] {false, true}) {
                for (boolean turnedB : new boolean[] {false, true}) {
                    choices.add(new Choice(pair.getFirst(), turnedA, pair.getLast(), turnedB, d));
                }
            }
        }
        return choices;
    }

    private static Operand operand(
            List<LaunchSample> samples, int argument, boolean turned, String rows, String columns) {
        boolean lastInner = samples.stream().allMatch(sample -> isPacked(sample, argument, 1));
        if (!lastInner && !samples.stream().allMatch(sample -> isPacked(sample, argument, 0))) {
            Value.Tensor tensor = samples.getFirst().tensor(argument).orElseThrow();
            throw new NoGemmException(samples.getFirst().name(argument) + " is not packed: " + tensor.shape()
                    + " elements with strides " + tensor.strides());
        }
        return new Operand(argument, type(samples.getFirst(), argument), lastInner == turned ? rows : columns);
    }

    private static boolean isPacked(LaunchSample sample, int argument, int inner) {
        Value.Tensor tensor = sample.tensor(argument).orElseThrow();
        long within = tensor.shape().get(inner);
        return (tensor.strides().get(inner) == 1 || within == 1)
                && (tensor.strides().get(1 - inner) == within || tensor.shape().get(1 - inner) == 1);
    }

    private static Optional<Operand> bias(List<LaunchSample> samples, List<Integer> vectors, Choice choice) {
        if (vectors.isEmpty()) {
            return Optional.empty();
        }
        int vector = vectors.getFirst();
        LaunchSample first = samples.getFirst();
        for (String dimension : List.of("n", "m")) {
            if (vectors.size() == 1
                    && samples.stream().allMatch(sample -> {
                        Sizes sizes = choice.sizes(sample).orElseThrow();
                        return sample.tensor(vector)
                                .orElseThrow()
                                .shape()
                                .equals(List.of(dimension.equals("n") ? sizes.n() : sizes.m()));
                    })) {
                return Optional.of(new Operand(vector, type(first, vector), dimension));
            }
        }
        throw new NoGemmException(
                "it may take one bias of N or M elements besides, and takes " + names(first, vectors));
    }

    private static String type(LaunchSample sample, int argument) {
        String type = sample.kernel().arguments().get(argument).type();
        return Optional.ofNullable(TYPES.get(type))
                .orElseThrow(() ->
                        new NoGemmException(sample.name(argument) + " has the type " + type + "; operands have one of "
                                + TYPES.keySet().stream().sorted().toList()));
    }

    private static List<Integer> those(LaunchSample sample, IntPredicate wanted) {
        return IntStream.range(0, sample.kernel().arguments().size())
                .filter(wanted)
                .boxed()
                .toList();
    }

    private static String names(LaunchSample sample, List<Integer> arguments) {
        return arguments.isEmpty()
                ? "none"
                : String.join(", ", arguments.stream().map(sample::name).toList());
    }
}
