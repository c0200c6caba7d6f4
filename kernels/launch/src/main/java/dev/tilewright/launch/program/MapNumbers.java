package dev.tilewright.launch.program;

import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;

/** The numbers that {@code cuTensorMapEncodeTiled} takes for the choices of a tensor map. */
public record MapNumbers(int type, int swizzle, int promotion, int fill) {

    public static MapNumbers of(TensorMap map) {
        return new MapNumbers(
                type(map.type()), swizzle(map.swizzleBytes()), promotion(map.promotionBytes()), map.fillNan() ? 1 : 0);
    }

    /** {@code CUtensorMapDataType}; 8-bit floats travel as bytes. */
    static int type(ElementType type) {
        return switch (type) {
            case U8, E4M3, E5M2 -> 0;
            case U16 -> 1;
            case U32 -> 2;
            case S32 -> 3;
            case U64 -> 4;
            case S64 -> 5;
            case F16 -> 6;
            case F32 -> 7;
            case F64 -> 8;
            case BF16 -> 9;
            case TF32 -> 11;
            case S8, S16 -> throw new IllegalArgumentException("no tensor map has elements of type " + type);
        };
    }

    /** {@code CUtensorMapSwizzle}. */
    static int swizzle(int bytes) {
        return switch (bytes) {
            case 0 -> 0;
            case 32 -> 1;
            case 64 -> 2;
            case 128 -> 3;
            default -> throw new IllegalArgumentException("rows of a box span 0, 32, 64 or 128 bytes, got " + bytes);
        };
    }

    /** {@code CUtensorMapL2promotion}. */
    static int promotion(int bytes) {
        return switch (bytes) {
            case 0 -> 0;
            case 64 -> 1;
            case 128 -> 2;
            case 256 -> 3;
            default -> throw new IllegalArgumentException("L2 promotion is 0, 64, 128 or 256 bytes, got " + bytes);
        };
    }
}
