package dev.tilewright.emulator.forms;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Instructions of a list, made from the patterns of its lines. {@code (a|b|)} stands for one of its parts: the first
 * instruction of a line takes the first part of each, and so on, until each part was taken. {@code ~|} is a bar that
 * stays one, {@code {r4*3}} is {@code {r4, r5, r6}}.
 *
 * @param name of the list
 * @param target that has all of them
 * @param instructions without semicolons
 */
record FormList(String name, String target, List<String> instructions) {
    private static final Pattern CHOICE = Pattern.compile("\\(((?:[^()|]|~\\|)*\\|(?:[^()])*)\\)");
    private static final Pattern VECTOR = Pattern.compile("\\{([a-z])(\\d*)\\*(\\d+)}");
    /** Stands for a bar that stays. */
    private static final String BAR = "\u0001";

    /** Registers by size (p, b, h, r, q, o), global (g), constant (c), shared (s), local (l) variables, parameters. */
    private static final String KERNEL = """
            .visible .entry k%d(.param .align 8 .b8 a[64], .param .align 128 .b8 m[128]) {
            .reg .pred p<9>; .reg .b8 b<9>; .reg .b16 h<32>; .reg .b32 r<256>; .reg .b64 q<32>; .reg .b128 o<4>;
            .shared .align 128 .b8 s[4096]; .local .align 16 .b8 l[64];
            %s;
            END: ret;
            }
            """;

    private static final String MODULE = """
            .version 9.0
            .target %s
            .address_size 64
            .global .align 128 .b8 g[1024];
            .const .align 128 .b8 c[256];
            .func (.param .b64 out) twice(.param .b64 in) {
            .reg .b64 x; ld.param.u64 x, [in]; st.param.u64 [out], x; ret; }
            .func nothing() { ret; }
            """;

    static FormList read(String name, String target) {
        Set<String> all = new LinkedHashSet<>();
        text(name)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(line -> all.addAll(instructions(line)));
        return new FormList(name, target, List.copyOf(all));
    }

    /** The text of a file of patterns. */
    static String text(String name) {
        try (InputStream file = Objects.requireNonNull(FormList.class.getResourceAsStream(name + ".forms"), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Set<String> instructions(String line) {
        String barred = line.replace("~|", BAR);
        List<MatchResult> choices = CHOICE.matcher(barred).results().toList();
        List<String[]> parts =
                choices.stream().map(choice -> choice.group(1).split("\\|", -1)).toList();
        int most = parts.stream().mapToInt(part -> part.length).max().orElse(1);
        Set<String> all = new LinkedHashSet<>();
        for (int i = 0; i < most; i++) {
            StringBuilder made = new StringBuilder();
            int from = 0;
            for (int j = 0; j < parts.size(); j++) {
                made.append(barred, from, choices.get(j).start()).append(parts.get(j)[i % parts.get(j).length]);
                from = choices.get(j).end();
            }
            made.append(barred.substring(from));
            all.add(VECTOR.matcher(made.toString().replace(BAR, "|")).replaceAll(FormList::vector));
        }
        return all;
    }

    private static String vector(MatchResult found) {
        int first = found.group(2).isEmpty() ? 0 : Integer.parseInt(found.group(2));
        return IntStream.range(first, first + Integer.parseInt(found.group(3)))
                .mapToObj(i -> found.group(1) + i)
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** A module with a kernel {@code k0} for one of the instructions. */
    static String module(String target, String instruction) {
        return MODULE.formatted(target) + KERNEL.formatted(0, instruction);
    }

    /** A module with a kernel for each instruction. */
    String module() {
        StringBuilder text = new StringBuilder(MODULE.formatted(target));
        for (int i = 0; i < instructions.size(); i++) {
            text.append(KERNEL.formatted(i, instructions.get(i)));
        }
        return text.toString();
    }

    /** The opcode with its modifiers, behind a guard. */
    static String mnemonic(String instruction) {
        return instruction.replaceFirst("^@!?\\w+ +", "").split(" ", 2)[0];
    }

    /** The texts of a file of whole modules, each with its name on a line of its own before it. */
    static List<String> modules(String name) {
        List<String> all = new ArrayList<>();
        for (String part : text(name).split("(?m)^==== ")) {
            if (!part.isBlank()) {
                String[] named = part.split("\n", 2);
                all.add(".version 9.0\n.target sm_100a\n.address_size 64\n// " + named[0] + "\n" + named[1]);
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return name + " for " + target;
    }
}
