package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The corpus, with the text of what only others write, holds every instruction record, and ptxas takes all of it. */
class CorpusTest {
    @Test
    void holdsEveryRecord() throws Exception {
        Set<Class<?>> used = instructions().map(Object::getClass).collect(Collectors.toSet());
        assertThat(used).containsAll(records(Instruction.class).toList());
    }

    /** Registers that no visitor sees would be undeclared, unchecked and, on the emulator, undefined. */
    @Test
    void everyRegisterOfARecordIsVisited() throws Exception {
        instructions().forEach(instruction -> {
            Set<Reg<?>> visited = new HashSet<>();
            Operands.visit(instruction, new OperandVisitor() {
                @Override
                public void read(Operand<?> operand, ScalarType type) {
                    visited.addAll(registers(operand).toList());
                }

                @Override
                public void write(Reg<?> register, ScalarType type) {
                    visited.add(register);
                }

                @Override
                public void address(Address address) {
                    visited.addAll(registers(address).toList());
                }
            });
            assertThat(visited)
                    .as("%s", instruction)
                    .isEqualTo(registers(instruction).collect(Collectors.toSet()));
        });
    }

    /** The registers in a record, also in lists and records inside of it. */
    private static Stream<Reg<?>> registers(Object value) {
        return switch (value) {
            case Reg<?> register -> Stream.of(register);
            case Optional<?> maybe -> maybe.stream().flatMap(CorpusTest::registers);
            case List<?> list -> list.stream().flatMap(CorpusTest::registers);
            case Record record ->
                Arrays.stream(record.getClass().getRecordComponents())
                        .flatMap(component -> registers(component(record, component)));
            default -> Stream.of();
        };
    }

    private static Object component(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Instruction> instructions() throws IOException {
        List<PtxModule> modules =
                new ArrayList<>(List.of(Corpus.oldest(), Corpus.newer(), BlackwellCorpus.of(CtaGroup.ONE)));
        try (Stream<Path> hand = Files.list(Path.of("src/test/resources/dev/tilewright/ptx/parse/hand"))) {
            for (Path file : hand.toList()) {
                modules.add(PtxParser.parse(Files.readString(file)));
            }
        }
        return modules.stream()
                .flatMap(module -> module.entries().stream())
                .flatMap(entry -> entry.body().stream())
                .flatMap(statement -> switch (statement) {
                    case Instruction i -> Stream.of(i);
                    case Statement.Guarded g -> Stream.of(g.instruction());
                    case Statement.LabelTarget _, Statement.Comment _ -> Stream.<Instruction>empty();
                });
    }

    @Test
    void assemblesAtTheOldestIsa() throws Exception {
        String text = PtxWriter.write(Corpus.oldest());
        assertThat(text).startsWith(".version 8.0\n");
        Ptxas.assemble(text, "sm_90a");
    }

    @Test
    void statesTheLowestIsaThatItsInstructionsNeed() throws Exception {
        PtxModule module = Corpus.newer();
        assertThat(module.isa()).isEqualTo(new IsaVersion(8, 6));
        Ptxas.assemble(PtxWriter.write(module), "sm_90a");
    }

    @ParameterizedTest
    @EnumSource
    void blackwellAssembles(CtaGroup group) throws Exception {
        String text = PtxWriter.write(BlackwellCorpus.of(group));
        assertThat(text).startsWith(".version 8.6\n");
        Ptxas.assemble(text, "sm_100a");
    }

    @Test
    void textIsKept() {
        Golden.check("Blackwell", PtxWriter.write(BlackwellCorpus.of(CtaGroup.TWO)));
        Golden.check("Corpus", PtxWriter.write(Corpus.oldest()));
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(CorpusTest::records)
                : Stream.of(type);
    }
}
