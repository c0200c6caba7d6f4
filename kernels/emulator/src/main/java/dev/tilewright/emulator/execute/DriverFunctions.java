package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.SourceOperand;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions of the driver that compilers call: a failed assertion, and printing. A proof has no use for printed
 * output, so both end the run; the message holds their text, which is read from the memory of the kernel.
 */
final class DriverFunctions {
    private static final MemoryOperand MEMORY = MemoryOperand.generic(SourceOperand.constant(0));
    private static final int MAX_TEXT_CHARACTERS = 1024;
    private static final Pattern CONVERSION =
            Pattern.compile("%([-+ #0]*\\d*(?:\\.\\d+)?)(hh|h|ll|l|z|j|t)?([diuxXocsfFeEgGaAp%])");

    private DriverFunctions() {}

    /** {@code __assertfail(message, file, line, function, size of a character)}. */
    static Operation assertFail(long[] arguments) {
        if (arguments.length != 5) {
            throw new NotEmulatedException("__assertfail takes 5 arguments, got " + arguments.length);
        }
        return Lanes.access((strand, lane) -> {
            String message = text(strand, local(strand, arguments[0], 8));
            String file = text(strand, local(strand, arguments[1], 8));
            long line = local(strand, arguments[2], 4);
            String function = text(strand, local(strand, arguments[3], 8));
            throw trapped("assertion '" + message + "' failed in " + function + ", " + file + " line " + line);
        });
    }

    /** {@code vprintf(format, arguments)}. */
    static Operation print(long[] arguments) {
        if (arguments.length != 2) {
            throw new NotEmulatedException("vprintf takes 2 arguments, got " + arguments.length);
        }
        return Lanes.access((strand, lane) -> {
            String format = text(strand, local(strand, arguments[0], 8));
            throw trapped("vprintf called, to print: "
                    + formatted(strand, format, local(strand, arguments[1], 8)).strip());
        });
    }

    private static HazardFound trapped(String message) {
        return new HazardFound(new Hazard.Trapped(message));
    }

    private static long local(Strand strand, long address, int bytes) {
        return MEMORY.read(strand, AddressSpace.LOCAL + address, bytes);
    }

    /** Characters up to a zero. */
    private static String text(Strand strand, long address) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < MAX_TEXT_CHARACTERS; i++) {
            char c = (char) MEMORY.read(strand, address + i, 1);
            if (c == 0) {
                break;
            }
            text.append(c);
        }
        return text.toString();
    }

    /** The format filled in from arguments that lie one behind the other, each aligned to its size. */
    private static String formatted(Strand strand, String format, long arguments) {
        Matcher matcher = CONVERSION.matcher(format);
        StringBuilder text = new StringBuilder();
        long next = arguments;
        while (matcher.find()) {
            MatchResult found = matcher.toMatchResult();
            String kind = found.group(3);
            if (kind.equals("%")) {
                matcher.appendReplacement(text, "%");
                continue;
            }
            int bytes = size(kind, found.group(2));
            next = Math.ceilDiv(next, bytes) * bytes;
            long bits = MEMORY.read(strand, next, bytes);
            next += bytes;
            matcher.appendReplacement(
                    text, Matcher.quoteReplacement(argument(strand, found.group(1), kind, bytes, bits)));
        }
        return matcher.appendTail(text).toString();
    }

    private static int size(String kind, String length) {
        boolean wide = length != null && !length.startsWith("h");
        return wide || "sfFeEgGaAp".contains(kind) ? 8 : 4;
    }

    private static String argument(Strand strand, String flags, String kind, int bytes, long bits) {
        return switch (kind) {
            case "d", "i" -> bytes == 4 ? Integer.toString((int) bits) : Long.toString(bits);
            case "u" -> Long.toUnsignedString(bits);
            case "x" -> Long.toHexString(bits);
            case "X" -> Long.toHexString(bits).toUpperCase(Locale.ROOT);
            case "o" -> Long.toOctalString(bits);
            case "c" -> String.valueOf((char) (bits & 0xFF));
            case "s" -> bits == 0 ? "(null)" : text(strand, bits);
            case "p" -> "0x" + Long.toHexString(bits);
            default -> number(flags, kind, Double.longBitsToDouble(bits));
        };
    }

    private static String number(String flags, String kind, double value) {
        int point = flags.indexOf('.');
        String precision = point < 0 ? "" : flags.substring(point);
        String conversion = kind.equalsIgnoreCase("a") ? "a" : kind.toLowerCase(Locale.ROOT);
        return String.format(Locale.ROOT, "%" + precision + conversion, value);
    }
}
