package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.Cubin;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Reads what {@code ptxas -v} says; the driver's JIT and NvPTXCompiler say it in the same words. */
record PtxasLog(String text) {

    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");
    private static final Pattern SPILLS = Pattern.compile("(\\d+) bytes spill stores, (\\d+) bytes spill loads");
    private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");
    private static final Pattern ALARM = Pattern.compile("(?m)^.*\\(C75\\d\\d\\).*$");

    /** The assembly, or {@code Broken} when the log does not say how many registers were used. */
    AssemblyResult with(byte[] cubin) {
        OptionalInt registers = REGISTERS
                .matcher(text)
                .results()
                .mapToInt(match -> Integer.parseInt(match.group(1)))
                .max();
        if (registers.isEmpty()) {
            return new AssemblyResult.Broken("the assembler did not say how many registers it used: " + text.strip());
        }
        int spills = SPILLS.matcher(text)
                .results()
                .mapToInt(match -> Integer.parseInt(match.group(1)) + Integer.parseInt(match.group(2)))
                .sum();
        int shared = SHARED.matcher(text)
                .results()
                .mapToInt(match -> Integer.parseInt(match.group(1)))
                .max()
                .orElse(0);
        List<String> alarms = ALARM.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(String::strip)
                .toList();
        return new AssemblyResult.Assembled(new Assembly(
                new Cubin(cubin), sha256(cubin), registers.getAsInt(), spills, shared, alarms, text.strip()));
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
