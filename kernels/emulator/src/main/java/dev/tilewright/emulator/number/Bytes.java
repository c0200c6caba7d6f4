package dev.tilewright.emulator.number;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian values in byte arrays. */
public final class Bytes {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    /** 1, 2, 4 or 8 bytes, zero-extended. */
    public static long get(byte[] data, int at, int bytes) {
        return switch (bytes) {
            case 1 -> data[at] & 0xFFL;
            case 2 -> getShort(data, at) & 0xFFFFL;
            case 4 -> getInt(data, at) & 0xFFFFFFFFL;
            case 8 -> getLong(data, at);
            default -> throw new IllegalArgumentException("1, 2, 4 or 8 bytes, got " + bytes);
        };
    }

    /** Whether the low bytes of a value are there already. */
    public static boolean isSame(byte[] data, int at, int bytes, long value) {
        return (get(data, at, bytes) ^ value) << 64 - 8 * bytes == 0;
    }

    /** The low 1, 2, 4 or 8 bytes of a value. */
    public static void put(byte[] data, int at, int bytes, long value) {
        switch (bytes) {
            case 1 -> data[at] = (byte) value;
            case 2 -> SHORT.set(data, at, (short) value);
            case 4 -> INT.set(data, at, (int) value);
            case 8 -> LONG.set(data, at, value);
            default -> throw new IllegalArgumentException("1, 2, 4 or 8 bytes, got " + bytes);
        }
    }

    public static short getShort(byte[] data, int at) {
        return (short) SHORT.get(data, at);
    }

    public static int getInt(byte[] data, int at) {
        return (int) INT.get(data, at);
    }

    public static long getLong(byte[] data, int at) {
        return (long) LONG.get(data, at);
    }
}
