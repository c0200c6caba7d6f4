package dev.tilewright.launch.program;

import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.element.ElementType;

/** What {@code cuTensorMapEncodeTiled} calls the choices of a tensor map. */
record MapNumbers(int type, int swizzle, int promotion, int fill) {

    static MapNumbers of(TensorMap map) {
        return new MapNumbers(
                type(map.type()), swizzle(map.swizzleBytes()), promotion(map.promotionBytes()), map.fillNan() ? 1 : 0);
    }

    /** {@code CUtensorMapDataType}; 8-bit floats travel as bytes. */
    private static int type(ElementType type) {
        return switch (type) {
            case U8, E4M3, E5M2, S8 -> 0;
            case U16, S16 -> 1;
            case U32 -> 2;
            case S32 -> 3;
            case U64 -> 4;
            case S64 -> 5;
            case F16 -> 6;
            case F32 -> 7;
            case F64 -> 8;
            case BF16 -> 9;
            case TF32 -> 11;
        };
    }

    /** {@code CUtensorMapSwizzle}: none, then spans of 32, 64 and 128 bytes. */
    private static int swizzle(int bytes) {
        return bytes == 0 ? 0 : Integer.numberOfTrailingZeros(bytes) - 4;
    }

    /** {@code CUtensorMapL2promotion}: none, then 64, 128 and 256 bytes. */
    private static int promotion(int bytes) {
        return bytes == 0 ? 0 : Integer.numberOfTrailingZeros(bytes) - 5;
    }
}
