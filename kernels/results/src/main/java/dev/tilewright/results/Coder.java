package dev.tilewright.results;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How values of one kind in one column become bytes that compress well.
 *
 * @param <T> of the values
 */
interface Coder<T> {

    void write(List<T> values, Sink sink);

    /** As many values as were written. */
    List<T> read(int count, Source source);

    /** Whole numbers by the difference to the one before. */
    Coder<Long> DIFFERENCES = new Coder<>() {
        @Override
        public void write(List<Long> values, Sink sink) {
            long last = 0;
            for (long value : values) {
                sink.signed(value - last);
                last = value;
            }
        }

        @Override
        public List<Long> read(int count, Source source) {
            List<Long> values = new ArrayList<>(count);
            long last = 0;
            for (int i = 0; i < count; i++) {
                last += source.signed();
                values.add(last);
            }
            return values;
        }
    };

    /** Floating-point numbers bit by bit: first the highest bytes of all of them, which are alike, then the next. */
    Coder<Double> PLANES = new Coder<>() {
        @Override
        public void write(List<Double> values, Sink sink) {
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                for (double value : values) {
                    sink.one((int) (Double.doubleToRawLongBits(value) >>> shift));
                }
            }
        }

        @Override
        public List<Double> read(int count, Source source) {
            long[] bits = new long[count];
            for (int plane = 0; plane < Long.BYTES; plane++) {
                for (int i = 0; i < count; i++) {
                    bits[i] = bits[i] << Byte.SIZE | source.one();
                }
            }
            return IntStream.range(0, count)
                    .mapToObj(i -> Double.longBitsToDouble(bits[i]))
                    .toList();
        }
    };

    /** Rows of whole numbers, such as one for each SM: by the difference to the one before, in units of all of them. */
    Coder<long[]> ROWS = new Coder<>() {
        @Override
        public void write(List<long[]> values, Sink sink) {
            long unit = 0;
            for (long[] row : values) {
                for (long value : row) {
                    unit = gcd(unit, value);
                }
            }
            unit = unit == 0 ? 1 : unit;
            sink.signed(unit);
            for (long[] row : values) {
                sink.number(row.length);
                long last = 0;
                for (long value : row) {
                    sink.signed(value / unit - last);
                    last = value / unit;
                }
            }
        }

        @Override
        public List<long[]> read(int count, Source source) {
            long unit = source.signed();
            List<long[]> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long last = 0;
                List<Long> row = new ArrayList<>();
                for (int left = source.count(); left > 0; left--) {
                    last += source.signed();
                    row.add(last * unit);
                }
                values.add(row.stream().mapToLong(Long::longValue).toArray());
            }
            return values;
        }

        private static long gcd(long a, long b) {
            return b == 0 ? a : gcd(b, a % b);
        }
    };

    /** Each text once, then which one each value is. */
    Coder<String> TEXTS = dictionary(Sink::text, Source::text);

    /** The same for the names that an object has, in their order. */
    Coder<List<String>> NAMES = dictionary(
            (sink, names) -> {
                sink.number(names.size());
                names.forEach(sink::text);
            },
            source -> {
                List<String> names = new ArrayList<>();
                for (int left = source.count(); left > 0; left--) {
                    names.add(source.text());
                }
                return List.copyOf(names);
            });

    /** Hashes in half of their digits. */
    Coder<String> HASHES = new Coder<>() {
        @Override
        public void write(List<String> values, Sink sink) {
            values.forEach(hash -> sink.all(HexFormat.of().parseHex(hash)));
        }

        @Override
        public List<String> read(int count, Source source) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values.add(HexFormat.of().formatHex(source.all(Kind.HASH_BYTES)));
            }
            return values;
        }
    };

    Coder<String> UUIDS = new Coder<>() {
        @Override
        public void write(List<String> values, Sink sink) {
            for (String value : values) {
                UUID id = UUID.fromString(value);
                sink.all(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array());
            }
        }

        @Override
        public List<String> read(int count, Source source) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ByteBuffer bits = ByteBuffer.wrap(source.all(2 * Long.BYTES));
                values.add(new UUID(bits.getLong(), bits.getLong()).toString());
            }
            return values;
        }
    };

    private static <T> Coder<T> dictionary(BiConsumer<Sink, T> entry, Function<Source, T> entryOf) {
        return new Coder<>() {
            @Override
            public void write(List<T> values, Sink sink) {
                Map<T, Integer> entries = new LinkedHashMap<>();
                values.forEach(value -> entries.putIfAbsent(value, entries.size()));
                sink.number(entries.size());
                entries.keySet().forEach(value -> entry.accept(sink, value));
                values.forEach(value -> sink.number(entries.get(value)));
            }

            @Override
            public List<T> read(int count, Source source) {
                List<T> entries = new ArrayList<>();
                for (int left = source.count(); left > 0; left--) {
                    entries.add(entryOf.apply(source));
                }
                List<T> values = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    values.add(entries.get(source.count()));
                }
                return values;
            }
        };
    }
}
