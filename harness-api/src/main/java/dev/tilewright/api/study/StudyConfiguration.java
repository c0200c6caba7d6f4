package dev.tilewright.api.study;

import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.families.FamilyBuild;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The families and strategies that a study can use. */
@Configuration(proxyBeanMethods = false)
class StudyConfiguration {

    @Bean
    Families families() {
        return Families.standard();
    }

    @Bean
    FamilyBuild familyBuild() {
        return FamilyBuild.running();
    }

    @Bean
    Strategies strategies(List<SearchStrategy> all) {
        return new Strategies(all);
    }
}
