package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.emulator.PtxText;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.tensor.TensorMap.Reading;
import dev.tilewright.ptx.type.ScalarType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Boxes of tensors, loaded into shared memory and stored from there, against element by element arithmetic. */
class TensorMapTest {
    private static final int DUMP = 32768;

    /**
     * Loads the box at coordinates {@code at} of map 0, copies shared memory as it lies to {@code dump}, stores the box
     * through map 1 at the same coordinates or, with an operation, reduces it twice.
     */
    private static PtxText roundTrip(TensorMap map, int[] at, byte[] in, byte[] out, String operation) {
        String coordinates = Arrays.stream(at).mapToObj(Integer::toString).collect(Collectors.joining(", ", "{", "}"));
        String store = operation.isEmpty()
                ? "cp.async.bulk.tensor.%dd.global.shared::cta.tile.bulk_group [gout, %s], [base];"
                : "cp.reduce.async.bulk.tensor.%dd.global.shared::cta." + operation
                        + ".tile.bulk_group [gout, %s], [base];";
        String body = """
                .reg .b32 t, base, bar, x;
                .reg .pred p;
                .reg .b64 gin, gout, dump;
                mov.u32 t, %%tid.x;
                mov.u32 base, smem;
                add.u32 bar, base, %d;
                setp.ne.u32 p, t, 0;
                @p ret;
                mov.u64 gin, m0;
                cvta.param.u64 gin, gin;
                mov.u64 gout, m1;
                cvta.param.u64 gout, gout;
                ld.param.u64 dump, [p2];
                mbarrier.init.shared::cta.b64 [bar], 1;
                fence.mbarrier_init.release.cluster;
                mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %d;
                cp.async.bulk.prefetch.tensor.%dd.L2.global.tile [gin, %s];
                cp.async.bulk.tensor.%dd.shared::cluster.global.tile.mbarrier::complete_tx::bytes [base], [gin, %s], [bar];
                WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
                @!p bra WAIT;
                %s
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 0;
                """.formatted(
                        DUMP,
                        map.boxBytes(),
                        at.length,
                        coordinates,
                        at.length,
                        coordinates,
                        store.formatted(at.length, coordinates)
                                + (operation.isEmpty() ? "" : store.formatted(at.length, coordinates)));
        int end = map.rows() * map.pitch();
        String dump = map.pitch() == map.rowBytes()
                ? "cp.async.bulk.global.shared::cta.bulk_group [dump], [base], %d;\n".formatted(end)
                        + "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
                : "";
        return PtxText.withMaps(
                body + dump,
                32,
                List.of(new Argument.Map("in", 0, map), new Argument.Map("out", 0, map)),
                Buffer.of("in", in),
                Buffer.of("out", out),
                Buffer.of("dump", new byte[DUMP]));
    }

    private static byte[] noise(SplittableRandom random, int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        return noise;
    }

    /** Where a byte of the box without swizzle lies with it, by the tables of PTX 5.5.7. */
    private static int swizzled(Swizzle swizzle, int byteOfBox) {
        if (swizzle == Swizzle.NONE) {
            return byteOfBox;
        }
        int chunks = swizzle.span() / 16;
        int line = byteOfBox / 128 % chunks;
        int chunk = byteOfBox / 16 % chunks;
        return byteOfBox + 16 * ((chunk ^ line) - chunk);
    }

    private static void check(
            ScalarType type, int rank, Swizzle swizzle, boolean fillNan, int step, SplittableRandom random) {
        int size = type.bytes();
        int span = swizzle == Swizzle.NONE ? 64 : swizzle.span();
        List<Long> dims = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        List<Integer> box = new ArrayList<>();
        List<Integer> steps = new ArrayList<>();
        int[] at = new int[rank];
        long stride = 0;
        for (int d = 0; d < rank; d++) {
            int extent = d == 0 ? span / size : random.nextInt(1, 5);
            box.add(extent);
            steps.add(d == 0 ? 1 : random.nextInt(1, step + 1));
            dims.add((long) (d == 0 ? random.nextInt(extent / 2, 2 * extent) : random.nextInt(2, 7)));
            at[d] = random.nextInt(-extent / 2, (int) Math.min(extent, dims.get(d)));
            if (d > 0) {
                stride = d == 1 ? Math.ceilDiv(dims.getFirst() * size, 16) * 16 + 16 : stride * dims.get(d - 1);
                strides.add(stride);
            }
        }
        int bytes = (int) (rank == 1 ? dims.getFirst() * size : stride * dims.getLast());
        TensorMap map = new TensorMap(type, dims, strides, box, steps, swizzle, fillNan);
        byte[] in = noise(random, bytes);
        var done = roundTrip(map, at, in, new byte[bytes], "").completed(random.nextInt(20));
        byte[] expectedOut = new byte[bytes];
        byte[] expectedBox = new byte[map.rows() * map.pitch()];
        for (int row = 0; row < map.rows(); row++) {
            for (int i = 0; i < box.getFirst(); i++) {
                long address = (long) (at[0] + i) * size;
                boolean inside = at[0] + i >= 0 && at[0] + i < dims.getFirst();
                int rest = row;
                for (int d = 1; d < rank; d++) {
                    int taken = Math.ceilDiv(box.get(d), steps.get(d));
                    long index = at[d] + (long) (rest % taken) * steps.get(d);
                    rest /= taken;
                    inside &= index >= 0 && index < dims.get(d);
                    address += index * strides.get(d - 1);
                }
                for (int b = 0; b < size; b++) {
                    int offset = swizzled(swizzle, row * map.pitch() + i * size + b);
                    expectedBox[offset] = inside ? in[(int) address + b] : (byte) (fillNan ? -1 : 0);
                    if (inside) {
                        expectedOut[(int) address + b] = in[(int) address + b];
                    }
                }
            }
        }
        assertThat(done.buffer("out")).as("stored by " + map).isEqualTo(expectedOut);
        assertThat(Arrays.copyOf(done.buffer("dump"), expectedBox.length))
                .as("loaded by " + map)
                .isEqualTo(expectedBox);
    }

    @ParameterizedTest
    @EnumSource(Swizzle.class)
    void everyRankAndSwizzle(Swizzle swizzle) {
        for (int rank = 1; rank <= 5; rank++) {
            for (int seed = 0; seed < 6; seed++) {
                check(ScalarType.BF16, rank, swizzle, seed % 2 == 0, 1, new SplittableRandom(rank * 100L + seed));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ScalarType.class,
            names = {"U8", "U16", "U32", "S32", "U64", "S64", "F16", "F32", "F64", "BF16"})
    void everyType(ScalarType type) {
        for (Swizzle swizzle : Swizzle.values()) {
            check(type, 3, swizzle, type.isFloat(), 1, new SplittableRandom(type.ordinal()));
        }
    }

    @Test
    void stepsOverElements() {
        for (int seed = 0; seed < 20; seed++) {
            check(ScalarType.F32, 2 + seed % 4, Swizzle.NONE, false, 3, new SplittableRandom(seed));
        }
    }

    @ParameterizedTest
    @CsvSource({"AS_STORED", "FLUSHED", "TF32", "TF32_FLUSHED"})
    void readings(Reading reading) {
        float[] values = {1.0009766f, 1.0004883f, 1.0014648f, -3.3333f, 1e-40f, -1e-41f, Float.MAX_VALUE, 0.1f};
        int[] rounded = {0x3F802000, 0x3F800000, 0x3F804000, 0xC0556000};
        ByteBuffer in = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            in.putFloat(value);
        }
        TensorMap map = new TensorMap(
                ScalarType.F32, List.of(8L), List.of(), List.of(8), List.of(1), Swizzle.NONE, false, reading);
        ByteBuffer dump = ByteBuffer.wrap(roundTrip(map, new int[] {0}, in.array(), new byte[32], "")
                        .completed(1)
                        .buffer("dump"))
                .order(ByteOrder.LITTLE_ENDIAN);
        boolean tf32 = reading == Reading.TF32 || reading == Reading.TF32_FLUSHED;
        boolean flushed = reading == Reading.FLUSHED || reading == Reading.TF32_FLUSHED;
        for (int i = 0; i < rounded.length; i++) {
            assertThat(dump.getInt(4 * i))
                    .as(values[i] + " as " + reading)
                    .isEqualTo(tf32 ? rounded[i] : Float.floatToRawIntBits(values[i]));
        }
        assertThat(dump.getFloat(16) == 0).isEqualTo(flushed);
        assertThat(dump.getInt(20) == 0x8000_0000).isEqualTo(flushed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "min", "max"})
    void reductionsOfBoxes(String operation) {
        TensorMap map = TensorMap.tiled(ScalarType.S32, List.of(10L, 3L), List.of(48L), List.of(8, 2), Swizzle.B32);
        ByteBuffer in = ByteBuffer.allocate(144).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(144).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 36; i++) {
            in.putInt(4 * i, i - 15);
            out.putInt(4 * i, 5);
        }
        ByteBuffer got = ByteBuffer.wrap(roundTrip(map, new int[] {4, 2}, in.array(), out.array(), operation)
                        .clean("out"))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 36; i++) {
            int column = i % 12;
            boolean inside = i / 12 == 2 && column >= 4 && column < 10;
            int expected = !inside
                    ? 5
                    : switch (operation) {
                        case "add" -> 5 + 2 * (i - 15);
                        case "min" -> Math.min(5, i - 15);
                        default -> Math.max(5, i - 15);
                    };
            assertThat(got.getInt(4 * i)).as("element " + i).isEqualTo(expected);
        }
    }

    @Test
    void reductionsThatTheTypeDoesNotTake() {
        TensorMap map = TensorMap.tiled(ScalarType.F32, List.of(8L), List.of(), List.of(8), Swizzle.NONE);
        assertThat(roundTrip(map, new int[] {0}, new byte[32], new byte[32], "min")
                        .finding()
                        .message())
                .contains("a bulk reduction does not min elements of type .f32");
    }

    private static TensorMap map(ScalarType type, long extent, long stride, int width, int step, Swizzle swizzle) {
        return new TensorMap(
                type, List.of(extent, 8L), List.of(stride), List.of(width, 8), List.of(step, 1), swizzle, false);
    }

    @Test
    void refusesWhatTheDriverRefuses() {
        map(ScalarType.U8, 100, 112, 128, 1, Swizzle.B128);
        assertThatThrownBy(() -> map(ScalarType.U8, 100, 104, 64, 1, Swizzle.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("strides of multiples of 16 bytes below 2^40, got [104]");
        assertThatThrownBy(() -> map(ScalarType.U8, 100, 112, 24, 1, Swizzle.NONE))
                .hasMessageContaining("box rows of multiples of 16 bytes, got 24");
        assertThatThrownBy(() -> map(ScalarType.F32, 100, 400, 48, 1, Swizzle.B128))
                .hasMessageContaining("box rows within the span of the swizzle, got 192");
        assertThatThrownBy(() -> map(ScalarType.U8, 100, 112, 272, 1, Swizzle.NONE))
                .hasMessageContaining("box extents of 1..256, got [272, 8]");
        assertThatThrownBy(() -> map(ScalarType.U8, 0, 112, 16, 1, Swizzle.NONE))
                .hasMessageContaining("extents of 1..2^32");
        assertThatThrownBy(() -> map(ScalarType.U8, 100, 112, 16, 2, Swizzle.NONE))
                .hasMessageContaining("an innermost element stride of 1");
        assertThatThrownBy(() -> map(ScalarType.U8, 100, 1L << 40, 16, 1, Swizzle.NONE))
                .hasMessageContaining("below 2^40");
        assertThatThrownBy(() -> map(ScalarType.B32, 100, 400, 4, 1, Swizzle.NONE))
                .hasMessageContaining("elements of u8, u16");
        assertThatThrownBy(() -> new TensorMap(
                        ScalarType.S32, List.of(8L), List.of(), List.of(8), List.of(1), Swizzle.NONE, true))
                .hasMessageContaining("a float type to be filled with NaN, got s32");
        assertThatThrownBy(() -> new TensorMap(
                        ScalarType.F16,
                        List.of(8L),
                        List.of(),
                        List.of(8),
                        List.of(1),
                        Swizzle.NONE,
                        false,
                        Reading.TF32))
                .hasMessageContaining("f32 elements to be flushed or rounded, got f16");
        TensorMap line = TensorMap.tiled(ScalarType.U8, List.of(32L), List.of(), List.of(32), Swizzle.NONE);
        assertThatThrownBy(() -> PtxText.withMaps(
                                "", 32, List.of(new Argument.Map("in", 8, line)), Buffer.of("in", new byte[64]))
                        .run(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an address that is a multiple of 16");
    }
}
