package dev.tilewright.emulator.tensor;

import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.tensor.TensorMap.Reading;
import dev.tilewright.ptx.instruction.TensorMapUpdate.Field;
import dev.tilewright.ptx.type.ScalarType;
import java.util.ArrayList;
import java.util.List;

/**
 * A tensor map and where its tensor begins as 128 bytes, which kernels copy and change field by field. The layout is
 * opaque to them; this one is ours. Numbers of types and modes are those of tensormap.replace: PTX 9.7.9.28.
 */
public final class MapImage {
    /** Size of a map. */
    public static final int BYTES = 128;
    /** Alignment of a map. */
    public static final int ALIGNMENT = 64;

    private static final int ADDRESS = 0;
    private static final int DIMS = 8;
    private static final int STRIDES = 48;
    private static final int BOX = 80;
    private static final int STEPS = 90;
    private static final int RANK = 95;
    private static final int TYPE = 96;
    private static final int INTERLEAVE = 97;
    private static final int SWIZZLE = 98;
    private static final int FILL = 99;
    private static final int ATOMICITY = 100;
    private static final int MARK = 120;
    private static final long MARKED = 0x50414D524F534E54L;

    /** Types by their numbers. */
    private static final List<ScalarType> TYPES = List.of(
            ScalarType.U8,
            ScalarType.U16,
            ScalarType.U32,
            ScalarType.S32,
            ScalarType.U64,
            ScalarType.S64,
            ScalarType.F16,
            ScalarType.F32,
            ScalarType.F32,
            ScalarType.F64,
            ScalarType.BF16,
            ScalarType.F32,
            ScalarType.F32);

    private static final int F32 = 7;
    private static final int F32_FLUSHED = 8;
    private static final int TF32 = 11;
    private static final int TF32_FLUSHED = 12;

    private MapImage() {}

    /** The bytes of a map over a tensor at an address. */
    public static byte[] of(TensorMap map, long base) {
        byte[] image = new byte[BYTES];
        Bytes.put(image, MARK, 8, MARKED);
        Bytes.put(image, ADDRESS, 8, base);
        int rank = map.rank();
        image[RANK] = (byte) (rank - 1);
        for (int i = 0; i < rank; i++) {
            Bytes.put(image, DIMS + 8 * i, 8, map.dims().get(i));
            Bytes.put(image, BOX + 2 * i, 2, map.box().get(i));
            image[STEPS + i] = (byte) (int) map.elementStrides().get(i);
        }
        for (int i = 0; i < rank - 1; i++) {
            Bytes.put(image, STRIDES + 8 * i, 8, map.strides().get(i));
        }
        image[TYPE] = (byte) type(map);
        image[SWIZZLE] = (byte) map.swizzle().ordinal();
        image[FILL] = (byte) (map.fillNan() ? 1 : 0);
        return image;
    }

    private static int type(TensorMap map) {
        return map.type() != ScalarType.F32
                ? TYPES.indexOf(map.type())
                : switch (map.reading()) {
                    case AS_STORED -> F32;
                    case FLUSHED -> F32_FLUSHED;
                    case TF32 -> TF32;
                    case TF32_FLUSHED -> TF32_FLUSHED;
                };
    }

    private static Reading reading(int type) {
        return switch (type) {
            case F32_FLUSHED -> Reading.FLUSHED;
            case TF32 -> Reading.TF32;
            case TF32_FLUSHED -> Reading.TF32_FLUSHED;
            default -> Reading.AS_STORED;
        };
    }

    /** The global address at which the tensor of a map begins. */
    public static long base(byte[] image) {
        return Bytes.get(image, ADDRESS, 8);
    }

    /**
     * The map that the bytes are.
     *
     * @throws IllegalArgumentException if they are none, or one that breaks a rule of {@link TensorMap}
     */
    public static TensorMap map(byte[] image) {
        requireMap(image);
        require(image[INTERLEAVE] == 0, "no interleave", image[INTERLEAVE]);
        require(image[ATOMICITY] == 0, "a swizzle atomicity of 16 bytes", image[ATOMICITY]);
        int type = image[TYPE];
        require(type < TYPES.size(), "one of the element types 0 to " + (TYPES.size() - 1), type);
        require(image[SWIZZLE] < Swizzle.values().length, "one of the swizzle modes 0 to 3", image[SWIZZLE]);
        require(image[RANK] < 5, "a rank of 1 to 5", image[RANK] + 1);
        int rank = image[RANK] + 1;
        List<Long> dims = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        List<Integer> box = new ArrayList<>();
        List<Integer> steps = new ArrayList<>();
        for (int i = 0; i < rank; i++) {
            dims.add(Bytes.get(image, DIMS + 8 * i, 8));
            box.add((int) Bytes.get(image, BOX + 2 * i, 2));
            steps.add((int) image[STEPS + i]);
            if (i > 0) {
                strides.add(Bytes.get(image, STRIDES + 8 * (i - 1), 8));
            }
        }
        TensorMap.requireAddress(base(image));
        return new TensorMap(
                TYPES.get(type),
                dims,
                strides,
                box,
                steps,
                Swizzle.values()[image[SWIZZLE]],
                image[FILL] == 1,
                reading(type));
    }

    /** Requires that the bytes are a map, if perhaps an unfinished one. */
    private static void requireMap(byte[] image) {
        require(
                Bytes.get(image, MARK, 8) == MARKED,
                "the 128 bytes of one that the launch made, of its copy, or zeros with all fields replaced",
                "others");
    }

    private static void require(boolean kept, String rule, Object value) {
        if (!kept) {
            throw new IllegalArgumentException("a tensor map needs " + rule + ", got " + value);
        }
    }

    private static boolean isZero(byte[] image) {
        for (byte part : image) {
            if (part != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes one field. Zeros are a map without anything: compilers write all fields of them. The manual does not say
     * so, but every Hopper takes it.
     *
     * @param dimension of the fields that each dimension has, else 0
     */
    public static void replace(byte[] image, Field field, int dimension, long value) {
        if (isZero(image)) {
            Bytes.put(image, MARK, 8, MARKED);
        }
        requireMap(image);
        switch (field) {
            case GLOBAL_ADDRESS -> Bytes.put(image, ADDRESS, 8, value);
            case RANK -> image[RANK] = small(field, value, 4);
            case BOX_DIM -> {
                require(value >= 0 && value <= 256, "a box_dim of 0 to 256", value);
                Bytes.put(image, BOX + 2 * dimension, 2, value);
            }
            case GLOBAL_DIM -> Bytes.put(image, DIMS + 8 * dimension, 8, value & 0xFFFFFFFFL);
            case GLOBAL_STRIDE -> {
                require(dimension < 4, "a stride of dimension 0 to 3", dimension);
                Bytes.put(image, STRIDES + 8 * dimension, 8, value);
            }
            case ELEMENT_STRIDE -> image[STEPS + dimension] = small(field, value, 8);
            case ELEMTYPE -> image[TYPE] = small(field, value, 15);
            case INTERLEAVE_LAYOUT -> image[INTERLEAVE] = small(field, value, 2);
            case SWIZZLE_MODE -> image[SWIZZLE] = small(field, value, 4);
            case SWIZZLE_ATOMICITY -> image[ATOMICITY] = small(field, value, 3);
            case FILL_MODE -> image[FILL] = small(field, value, 1);
        }
    }

    private static byte small(Field field, long value, int most) {
        require(value >= 0 && value <= most, field.ptx() + " of 0 to " + most, value);
        return (byte) value;
    }
}
