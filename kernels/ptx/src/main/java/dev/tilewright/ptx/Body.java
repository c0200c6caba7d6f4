package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The state that all blocks of one entry share while it is built: statements, names, numbers. */
final class Body {
    final List<Statement> code = new ArrayList<>();
    final List<WarpRole> roles = new ArrayList<>();
    private final Map<ScalarType, Integer> numbered = new LinkedHashMap<>();
    private final List<RegisterDecl> named = new ArrayList<>();
    private final Set<String> registerNames = new HashSet<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private final Set<String> labelNames = new HashSet<>();

    <T extends RegisterType> Reg<T> fresh(ScalarType type) {
        int number = numbered.merge(type, 1, Integer::sum) - 1;
        return new Reg<>(type, prefix(type) + number);
    }

    <T extends RegisterType> Reg<T> named(ScalarType type, String name) {
        String unique = unique(name);
        named.add(new RegisterDecl(type, unique, 0));
        return new Reg<>(type, unique);
    }

    <T extends RegisterType> List<Reg<T>> array(ScalarType type, String name, int count) {
        String unique = unique(name + "_");
        named.add(new RegisterDecl(type, unique, count));
        List<Reg<T>> registers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (!registerNames.add(unique + i)) {
                throw new IllegalArgumentException(
                        "register: array '" + name + "' would declare " + unique + i + " a second time");
            }
            registers.add(new Reg<>(type, unique + i));
        }
        return List.copyOf(registers);
    }

    /** The first label of a hint is the hint in capitals, the next ones are numbered from 2. */
    Label label(String hint) {
        String base = hint.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
        int number = labels.merge(base, 1, Integer::sum);
        String name = number == 1 ? base : base + "_" + number;
        return labelNames.add(name) ? new Label(name) : label(hint);
    }

    List<RegisterDecl> registers() {
        List<RegisterDecl> all = new ArrayList<>();
        for (ScalarType type : ScalarType.values()) {
            Integer count = numbered.get(type);
            if (count != null) {
                all.add(new RegisterDecl(type, prefix(type), count));
            }
        }
        all.addAll(named);
        return all;
    }

    private String unique(String name) {
        requireName(name);
        String candidate = "%" + name;
        for (int i = 2; !registerNames.add(candidate); i++) {
            candidate = "%" + name + (name.endsWith("_") ? "" : "_") + i + (name.endsWith("_") ? "_" : "");
        }
        return candidate;
    }

    private static void requireName(String name) {
        if (!name.matches("[A-Za-z][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException("register: not a name: '" + name + "'");
        }
        if (name.matches("(p|h|r|rd|q|f|fd)[0-9]+")) {
            throw new IllegalArgumentException("register: '" + name + "' is a name of a numbered register");
        }
        for (SpecialRegister special : SpecialRegister.values()) {
            if (special.ptx().split("\\.")[0].equals("%" + name)) {
                throw new IllegalArgumentException("register: '" + name + "' is a special register");
            }
        }
    }

    private static String prefix(ScalarType type) {
        return switch (type) {
            case PRED -> "%p";
            case B16 -> "%h";
            case B32 -> "%r";
            case B64 -> "%rd";
            case B128 -> "%q";
            case F32 -> "%f";
            case F64 -> "%fd";
            default -> throw new IllegalArgumentException("register: no class of registers for ." + type.ptx());
        };
    }
}
