package dev.tilewright.launch.program;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import dev.tilewright.launch.TensorMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All launches of one kernel with the M of a range: what is the same in each, and what follows M. They are looked at
 * one by one, so that a program passes for each M what the launch of the family passes.
 *
 * @param like the launch with the least of these M
 * @param columns indices of the parameters that are numbers and not the same in each launch
 * @param ofM indices of those that are M itself, which are no columns
 * @param rows the launches, in the order of M
 * @param maps of the tensor maps that follow M, by the index of their parameter
 * @param ownBytes of each buffer that is no operand, in the launch that needs most
 */
record RangeLaunches(
        LaunchDescription like,
        List<Integer> columns,
        Set<Integer> ofM,
        List<Row> rows,
        Map<Integer, RowsOfMap> maps,
        List<Long> ownBytes) {

    /**
     * Launches that pass the same numbers.
     *
     * @param from the least M of them
     * @param to the most of them
     * @param grid CTAs
     * @param numbers one for each of the columns
     */
    record Row(int from, int to, int grid, List<Long> numbers) {}

    /** Strides of a tensor map are multiples of so many bytes. */
    private static final int CHUNK = 16;

    /**
     * How a tensor map follows M: elements of each extent for each row, and bytes of each stride, which is rounded up
     * to whole chunks; 0 where it does not follow.
     */
    record RowsOfMap(List<Long> dims, List<Long> strides) {

        /** Extents or strides of a map, with 0 for those that follow M. */
        static List<Long> fixed(List<Long> values, List<Long> rows) {
            return IntStream.range(0, values.size())
                    .mapToObj(i -> rows.get(i) == 0 ? values.get(i) : Long.valueOf(0))
                    .toList();
        }
    }

    /** A row of the kernel of that number. */
    record Numbered(int kernel, Row row) {}

    /** The rows of all kernels, in the order of M. */
    static List<Numbered> inOrder(List<RangeLaunches> kernels) {
        return IntStream.range(0, kernels.size())
                .boxed()
                .flatMap(kernel -> kernels.get(kernel).rows().stream().map(row -> new Numbered(kernel, row)))
                .sorted(Comparator.comparingInt(each -> each.row().to()))
                .toList();
    }

    /**
     * Looks at the launches.
     *
     * @param launches the launch with an M
     * @throws IllegalArgumentException naming what differs between launches, and cannot be told by M in a program
     */
    static RangeLaunches of(List<RangeProgram.Reach> reaches, IntFunction<LaunchDescription> launches) {
        return new Scan(launches, reaches.getFirst().from()).of(reaches);
    }

    /** A tensor map with all M: which extents and strides vary, and whether they are as many elements as M. */
    private static final class Extending {
        private final TensorMap like;
        private final List<Long> least;
        private final boolean[] varies;
        private final boolean[] follows;

        Extending(TensorMap like) {
            this.like = like;
            this.least = extents(like);
            this.varies = new boolean[least.size()];
            this.follows = new boolean[varies.length];
            Arrays.fill(follows, true);
        }

        private static List<Long> extents(TensorMap map) {
            return Stream.concat(map.dims().stream(), map.strides().stream()).toList();
        }

        void look(int m, TensorMap map) {
            List<Long> own = extents(map);
            for (int i = 0; i < varies.length; i++) {
                varies[i] |= !own.get(i).equals(least.get(i));
                follows[i] &= own.get(i) == (i < like.rank() ? m : Math.ceilDiv(m * ofRow(i), CHUNK) * CHUNK);
            }
        }

        private long ofRow(int i) {
            return i < like.rank() ? 1 : like.type().bytes();
        }

        RowsOfMap rows(int parameter) {
            List<Long> rows = new ArrayList<>();
            for (int i = 0; i < varies.length; i++) {
                if (varies[i] && !follows[i]) {
                    throw new IllegalArgumentException("an extent of a tensor map is the same with each M, or M, and a"
                            + " stride M elements in multiples of 16 bytes; that of parameter " + parameter
                            + " is neither: " + like);
                }
                rows.add(varies[i] ? ofRow(i) : 0);
            }
            return new RowsOfMap(rows.subList(0, like.rank()), rows.subList(like.rank(), rows.size()));
        }
    }

    /** All numbers of a launch. */
    private record Numbers(int grid, long[] values) {
        boolean same(Numbers other) {
            return grid == other.grid && Arrays.equals(values, other.values);
        }
    }

    private record Seen(int from, int to, Numbers numbers) {}

    private static final class Scan {

        private final IntFunction<LaunchDescription> launches;
        private final LaunchDescription like;
        private final int least;
        private final List<Seen> seen = new ArrayList<>();
        private final Set<Integer> columns = new TreeSet<>();
        private final Set<Integer> ofM = new TreeSet<>();
        private final Map<Integer, Extending> maps = new LinkedHashMap<>();
        private final Map<String, Long> bytes = new LinkedHashMap<>();

        Scan(IntFunction<LaunchDescription> launches, int least) {
            this.launches = launches;
            this.like = launches.apply(least);
            this.least = least;
        }

        RangeLaunches of(List<RangeProgram.Reach> reaches) {
            Map<Integer, LaunchDescription> ends = new LinkedHashMap<>();
            reaches.stream()
                    .flatMap(reach -> Stream.of(reach.from(), reach.to()))
                    .forEach(m -> ends.computeIfAbsent(m, launches::apply));
            IntStream.range(0, like.parameters().size())
                    .filter(index -> isM(index, ends))
                    .forEach(ofM::add);
            for (RangeProgram.Reach reach : reaches) {
                Numbers last = null;
                for (int m = reach.from(); m <= reach.to(); m++) {
                    Numbers numbers = look(m, launches.apply(m));
                    int from = last != null && last.same(numbers)
                            ? seen.removeLast().from()
                            : m;
                    seen.add(new Seen(from, m, numbers));
                    last = numbers;
                }
            }
            List<Integer> varying = List.copyOf(columns);
            ProgramBuffers buffers = ProgramBuffers.of(like);
            return new RangeLaunches(
                    like,
                    varying,
                    ofM,
                    seen.stream()
                            .map(each -> new Row(
                                    each.from(),
                                    each.to(),
                                    each.numbers().grid(),
                                    varying.stream()
                                            .map(column -> each.numbers().values()[column])
                                            .toList()))
                            .sorted(Comparator.comparingInt(Row::to))
                            .toList(),
                    followed(),
                    buffers.own().stream()
                            .map(buffer -> bytes.getOrDefault(buffer.name(), buffer.bytes()))
                            .toList());
        }

        /** Whether a parameter is a number that is M at both ends of all reaches. */
        private static boolean isM(int index, Map<Integer, LaunchDescription> ends) {
            return ends.entrySet().stream()
                    .allMatch(end -> end.getValue().parameters().get(index)
                                    instanceof KernelParameter.Scalar(var type, long bits, var role)
                            && type.bytes() == Integer.BYTES
                            && bits == end.getKey()
                            && role.isEmpty());
        }

        private Map<Integer, RowsOfMap> followed() {
            Map<Integer, RowsOfMap> followed = new LinkedHashMap<>();
            maps.forEach((index, map) -> followed.put(index, map.rows(index)));
            return followed;
        }

        private Numbers look(int m, LaunchDescription launch) {
            requireSame("entry", like.entry(), launch.entry(), m);
            requireSame("block", like.block(), launch.block(), m);
            requireSame("cluster", like.cluster(), launch.cluster(), m);
            requireSame("shared memory", like.dynamicShared(), launch.dynamicShared(), m);
            requireSame("overlap", like.launchOverlap(), launch.launchOverlap(), m);
            requireSame("grid along y", Extents.of(launch.grid().x()), launch.grid(), m);
            requireSame("buffers", names(like), names(launch), m);
            for (BufferDescription own : ProgramBuffers.of(launch).own()) {
                switch (ProgramBuffers.preparation(launch, own)) {
                    case KEPT, ZEROED_ONCE, ZEROED_EACH_LAUNCH -> bytes.merge(own.name(), own.bytes(), Math::max);
                    case FILLED, CONSTANT ->
                        throw new IllegalArgumentException("buffer " + own.name()
                                + " is a table, which is of one M: it is not exported of a range");
                }
            }
            requireSame(
                    "parameters", like.parameters().size(), launch.parameters().size(), m);
            long[] values = new long[launch.parameters().size()];
            for (int i = 0; i < values.length; i++) {
                values[i] =
                        look(m, i, like.parameters().get(i), launch.parameters().get(i));
            }
            return new Numbers(launch.grid().x(), values);
        }

        private static List<String> names(LaunchDescription launch) {
            return launch.buffers().stream().map(BufferDescription::name).toList();
        }

        /** The number of a parameter, or 0 of another one. */
        private long look(int m, int index, KernelParameter first, KernelParameter own) {
            if (first instanceof KernelParameter.Scalar(var type, long bits, var role)
                    && own instanceof KernelParameter.Scalar(var ownType, long ownBits, var ownRole)
                    && type.equals(ownType)
                    && role.equals(ownRole)) {
                if (ofM.contains(index)) {
                    requireSame("parameter " + index, (long) m, ownBits, m);
                    return 0;
                }
                boolean dealt = role.filter(is -> is != ScalarRole.SCALE).isPresent();
                if (bits != ownBits && type.bytes() != Integer.BYTES) {
                    throw differs("parameter " + index, bits, ownBits, m);
                }
                if (bits != ownBits || dealt) {
                    columns.add(index);
                }
                return ownBits;
            }
            if (first instanceof KernelParameter.MapByValue(String buffer, long offset, TensorMap map)
                    && own instanceof KernelParameter.MapByValue(String ownBuffer, long ownOffset, TensorMap ownMap)
                    && buffer.equals(ownBuffer)
                    && offset == ownOffset
                    && sameButExtents(map, ownMap)) {
                maps.computeIfAbsent(index, _ -> new Extending(map)).look(m, ownMap);
                return 0;
            }
            requireSame("parameter " + index, first, own, m);
            return 0;
        }

        private static boolean sameButExtents(TensorMap map, TensorMap other) {
            return new TensorMap(
                            map.type(),
                            other.dims(),
                            other.strides(),
                            map.box(),
                            map.elementStrides(),
                            map.swizzleBytes(),
                            map.fillNan(),
                            map.promotionBytes())
                    .equals(other);
        }

        private void requireSame(String what, Object first, Object own, int m) {
            if (!first.equals(own)) {
                throw differs(what, first, own, m);
            }
        }

        private IllegalArgumentException differs(String what, Object first, Object own, int m) {
            return new IllegalArgumentException("the launches of a range pass the same " + what
                    + " with each M, or numbers and extents that follow it; got " + first + " with M = " + least
                    + " and " + own + " with M = " + m);
        }
    }
}
