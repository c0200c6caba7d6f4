package dev.tilewright.results;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Pieces of bytes, each packed as it is smallest: as it is, deflated, or by the number of an equal one before. */
final class Sections {

    private static final int PLAIN = 0;
    private static final int DEFLATED = 1;
    private static final int EQUAL = 2;

    /** Deflate makes no more of a byte. */
    private static final int MAX_INFLATION = 1032;

    private Sections() {}

    /** Puts sections into a sink. */
    static final class Writer {
        private final Sink sink;
        private final Map<ByteBuffer, Integer> known = new HashMap<>();
        private int count;

        Writer(Sink sink) {
            this.sink = sink;
        }

        void add(byte[] section) {
            Integer equal = known.putIfAbsent(ByteBuffer.wrap(section), count++);
            if (equal != null) {
                sink.one(EQUAL);
                sink.number(equal);
                return;
            }
            byte[] deflated = deflated(section);
            if (deflated.length < section.length) {
                sink.one(DEFLATED);
                sink.number(section.length);
                sink.number(deflated.length);
                sink.all(deflated);
            } else {
                sink.one(PLAIN);
                sink.number(section.length);
                sink.all(section);
            }
        }

        private static byte[] deflated(byte[] section) {
            Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
            try {
                deflater.setInput(section);
                deflater.finish();
                byte[] packed = new byte[section.length + 64];
                int length = deflater.deflate(packed);
                // What does not fit is larger than the section: it is not taken.
                return deflater.finished() ? Arrays.copyOf(packed, length) : packed;
            } finally {
                deflater.end();
            }
        }
    }

    /** Takes them out again. */
    static final class Reader {
        private final Source source;
        private final List<byte[]> known = new ArrayList<>();

        Reader(Source source) {
            this.source = source;
        }

        byte[] next() {
            int packing = source.one();
            byte[] section = switch (packing) {
                case PLAIN -> source.all(source.count());
                case DEFLATED -> inflated(source.count(), source.all(source.count()));
                case EQUAL -> known.get(source.count());
                default -> throw new IllegalArgumentException("packing " + packing + " is not known here");
            };
            known.add(section);
            return section;
        }

        private static byte[] inflated(int length, byte[] packed) {
            if (length > (long) MAX_INFLATION * packed.length) {
                throw new IllegalArgumentException(
                        packed.length + " bytes cannot become the " + length + " that are announced");
            }
            Inflater inflater = new Inflater(true);
            try {
                inflater.setInput(packed);
                byte[] section = new byte[length];
                if (inflater.inflate(section) != length || inflater.inflate(new byte[1]) != 0) {
                    throw new IllegalArgumentException("a section has not the " + length + " bytes announced");
                }
                return section;
            } catch (DataFormatException damaged) {
                throw new IllegalArgumentException("a section cannot be inflated: " + damaged.getMessage(), damaged);
            } finally {
                inflater.end();
            }
        }
    }
}
