package dev.tilewright.emulator.foreign;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.parse.PtxParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A launch of a kernel given as text, put together argument by argument. */
public final class PtxLaunch {
    private final PtxEmulator emulator;
    private final String entry;
    private final List<Argument> arguments = new ArrayList<>();
    private final List<Buffer> buffers = new ArrayList<>();
    private Dim3 grid = Dim3.of(1);
    private Dim3 block = Dim3.of(32);
    private int cluster = 1;
    private int dynamicShared;

    /** A kernel of a text: one CTA of one warp, until told otherwise. */
    public PtxLaunch(String text, String entry) {
        PtxModule module = PtxParser.parse(text);
        emulator = new PtxEmulator(module, entry);
        this.entry = entry;
    }

    /** A kernel of a resource beside a class. */
    public static PtxLaunch of(Class<?> beside, String resource, String entry) {
        try (InputStream in = beside.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + resource);
            }
            return new PtxLaunch(new String(in.readAllBytes(), StandardCharsets.UTF_8), entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public PtxLaunch grid(int x, int y, int z) {
        grid = new Dim3(x, y, z);
        return this;
    }

    public PtxLaunch block(int x, int y, int z) {
        block = new Dim3(x, y, z);
        return this;
    }

    public PtxLaunch cluster(int ctas) {
        cluster = ctas;
        return this;
    }

    public PtxLaunch dynamicShared(int bytes) {
        dynamicShared = bytes;
        return this;
    }

    public PtxLaunch word(int value) {
        arguments.add(new Argument.Scalar32(value));
        return this;
    }

    public PtxLaunch real(float value) {
        return word(Float.floatToRawIntBits(value));
    }

    public PtxLaunch wide(long value) {
        arguments.add(new Argument.Scalar64(value));
        return this;
    }

    /** A pointer to a buffer with these bytes. */
    public PtxLaunch buffer(String name, byte[] content) {
        buffers.add(Buffer.of(name, content));
        arguments.add(new Argument.Pointer(name, 0));
        return this;
    }

    /** A pointer to a buffer. */
    public PtxLaunch buffer(Buffer buffer) {
        buffers.add(buffer);
        arguments.add(new Argument.Pointer(buffer.name(), 0));
        return this;
    }

    /** A tensor map by value. */
    public PtxLaunch map(String buffer, TensorMap map) {
        arguments.add(new Argument.Map(buffer, 0, map));
        return this;
    }

    /** A struct, or a scalar of any size, by value. */
    public PtxLaunch struct(byte[] content) {
        arguments.add(new Argument.Bytes(content, List.of()));
        return this;
    }

    /** A buffer that no argument points to: what the host wrote to a variable. */
    public PtxLaunch variable(String name, byte[] content) {
        buffers.add(Buffer.of(name, content));
        return this;
    }

    public PtxLaunch words(String name, int... values) {
        return buffer(name, bytes(values));
    }

    public PtxLaunch longs(String name, long... values) {
        return buffer(name, bytes(values));
    }

    public PtxLaunch floats(String name, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return buffer(name, bytes.array());
    }

    public PtxLaunch doubles(String name, double... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(values);
        return buffer(name, bytes.array());
    }

    public PtxLaunch shorts(String name, short... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 2).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(values);
        return buffer(name, bytes.array());
    }

    public static byte[] bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }

    public static byte[] bytes(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }

    /** The verdict of one seed. */
    public RunEnd verdict(long seed) {
        Launch launch = new Launch(entry, grid, block, Dim3.of(cluster), dynamicShared, arguments, buffers);
        return emulator.run(launch, Options.seed(seed).withStepLimit(5_000_000));
    }

    /** The hazard of one seed. */
    public Finding finding(long seed) {
        return switch (verdict(seed)) {
            case RunEnd.Faulted faulted -> faulted.finding();
            case RunEnd.Completed completed -> throw new AssertionError("no hazard, " + completed.statistics());
        };
    }

    /** The hazard of the first of some seeds that has one. */
    public Finding findingWithin(int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            if (verdict(seed) instanceof RunEnd.Faulted faulted) {
                return faulted.finding();
            }
        }
        throw new AssertionError("no hazard within " + seeds + " seeds");
    }

    /** What a run leaves in memory. */
    public Memory run(long seed) {
        return switch (verdict(seed)) {
            case RunEnd.Completed completed -> new Memory(completed);
            case RunEnd.Faulted faulted ->
                throw new AssertionError(
                        "seed " + seed + ": " + faulted.finding().message());
        };
    }

    /** Buffers as arrays. */
    public record Memory(RunEnd.Completed completed) {
        private ByteBuffer buffer(String name) {
            return ByteBuffer.wrap(completed.buffer(name)).order(ByteOrder.LITTLE_ENDIAN);
        }

        public int[] words(String name) {
            int[] values = new int[buffer(name).capacity() / 4];
            buffer(name).asIntBuffer().get(values);
            return values;
        }

        public long[] longs(String name) {
            long[] values = new long[buffer(name).capacity() / 8];
            buffer(name).asLongBuffer().get(values);
            return values;
        }

        public float[] floats(String name) {
            float[] values = new float[buffer(name).capacity() / 4];
            buffer(name).asFloatBuffer().get(values);
            return values;
        }

        public double[] doubles(String name) {
            double[] values = new double[buffer(name).capacity() / 8];
            buffer(name).asDoubleBuffer().get(values);
            return values;
        }

        public short[] shorts(String name) {
            short[] values = new short[buffer(name).capacity() / 2];
            buffer(name).asShortBuffer().get(values);
            return values;
        }
    }
}
