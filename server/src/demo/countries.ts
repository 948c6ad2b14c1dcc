// The countries of the demo.
import { otherScripts } from './countries-other-scripts.ts'
import type { Country } from './country.ts'

const englishTrades =
  'Logistics Analytics Foods Robotics Energy Textiles Media Health Software Consulting Interiors Packaging Security Bikes Optics Labs Freight Studios Insurance Foundry'

export const countries: Country[] = [
  {
    weight: 18,
    timezone: 'America/New_York',
    currency: 'USD',
    phone: '+1 (###) 555-####',
    cities: [
      ['New York', 40.7128, -74.006],
      ['Boston', 42.3601, -71.0589],
      ['Atlanta', 33.749, -84.388],
      ['Miami', 25.7617, -80.1918],
      ['Philadelphia', 39.9526, -75.1652],
      ['Detroit', 42.3314, -83.0458],
      ['Pittsburgh', 40.4406, -79.9959],
      ['Charlotte', 35.2271, -80.8431],
      ['Buffalo', 42.8864, -78.8784],
      ['Richmond', 37.5407, -77.436],
      ['Savannah', 32.0809, -81.0912],
      ['Cleveland', 41.4993, -81.6944],
    ],
    firstNames:
      'James Mary Robert Patricia Michael Jennifer David Linda William Elizabeth Carlos Barbara Joseph Susan Tyrone Jessica Charles Sarah Daniel Karen Anthony Lisa Mark Nancy Steven Ashley Paul Kimberly Andrew Emily Joshua Donna Kevin Michelle Brian Aaliyah',
    lastNames:
      'Smith Johnson Williams Brown Jones García Miller Davis Rodríguez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Thompson White Harris Clark Lewis Robinson Walker Young Allen King Wright Hill Nguyen Green Adams Nelson Baker Hall O’Brien',
    brands:
      'Blue_Ridge Summit Pioneer Liberty Redwood Granite Harbor Beacon Evergreen Keystone Lakeside Ironwood Silverline Maple Cascade Frontier',
    trades: englishTrades,
    companyForms: [
      '{brand} {trade}{city} Inc.',
      '{brand} {trade}{city} LLC',
      '{brand} {trade}{city}',
    ],
  },
  {
    weight: 9,
    timezone: 'Europe/London',
    currency: 'GBP',
    phone: '+44 7700 9#####',
    cities: [
      ['London', 51.5072, -0.1276],
      ['Manchester', 53.4808, -2.2426],
      ['Edinburgh', 55.9533, -3.1883],
      ['Bristol', 51.4545, -2.5879],
      ['Leeds', 53.8008, -1.5491],
      ['Cardiff', 51.4816, -3.1791],
      ['Belfast', 54.5973, -5.9301],
      ['Norwich', 52.6309, 1.2974],
    ],
    firstNames:
      'Oliver Amelia George Isla Harry Ava Noah Mia Jack Ivy Leo Lily Arthur Freya Muhammad Florence Oscar Willow Charlie Rosie Archie Sophie Henry Grace Theo Evie Alfie Poppy Finlay Siân Rhys Niamh Callum Imogen Zoë Priya',
    lastNames:
      'Evans Hughes Roberts Wood Thompson Wright Walker Robinson Edwards Green Hall Lewis Harris Clarke Patel Jackson Turner Hill Cooper Ward Morris Moore Baker Khan Bennett Cook Bailey Parker Shaw Murphy Kelly Price Fraser MacLeod Ellis Hussain',
    brands:
      'Thistle Oakfield Kingsway Albion Harrow Pennine Severn Brunel Foxglove Tamar Merlin Northgate Lark Wharf Copper Yew',
    trades: englishTrades,
    companyForms: [
      '{brand} {trade}{city} Ltd',
      '{brand} & Sons {trade}{city}',
      '{brand} {trade}{city} plc',
    ],
  },
  {
    weight: 10,
    timezone: 'Europe/Paris',
    currency: 'EUR',
    phone: '+33 6 39 ## ## ##',
    cities: [
      ['Paris', 48.8566, 2.3522],
      ['Lyon', 45.764, 4.8357],
      ['Marseille', 43.2965, 5.3698],
      ['Nantes', 47.2184, -1.5536],
      ['Bordeaux', 44.8378, -0.5792],
      ['Orléans', 47.903, 1.909],
      ['Besançon', 47.2378, 6.0241],
      ['Saint-Étienne', 45.4397, 4.3872],
    ],
    firstNames:
      'Chloé Léa Hélène Inès Zoé Amélie Océane Anaïs Noémie Maëlys François René Jérôme Benoît Loïc Gaël Théo Rémi Éric Cédric Camille Manon Julie Margaux Louise Hugo Lucas Antoine Mathieu Nicolas Jean-Baptiste Marie-Claude Aurélien Séverine Yasmine Mehdi',
    lastNames:
      'Lefèvre Dubois Moreau Girard Rousseau Béranger Chevalier Gauthier Perrin Lemaître Besnard Fontaine Mercier Guérin Boyer Garnier Faure Blanc Bénard Hervé Picard Marchand Noël Dumas Brun Delacroix Vasseur Pélissier Roux Bélanger Maréchal Lacroix Poirier Beaumont Diallo Benali',
    brands:
      'Lumière Azur Horizon Boréal Alizé Cigale Étoile Mistral Rivage Comète Papillon Sillage Verrière Écluse Colibri Brise',
    trades:
      'Logistique Énergie Conseil Textile Santé Médias Meubles Assurances Emballage Optique Transports Informatique Bâtiment Saveurs Sécurité Formation Vélos Imprimerie Robotique Jardins',
    companyForms: [
      '{brand} {trade}{city} SAS',
      '{brand} {trade}{city} SARL',
      '{trade} {brand}{city}',
    ],
  },
  {
    weight: 10,
    timezone: 'Europe/Berlin',
    currency: 'EUR',
    phone: '+49 151 23######',
    cities: [
      ['Berlin', 52.52, 13.405],
      ['München', 48.1351, 11.582],
      ['Hamburg', 53.5511, 9.9937],
      ['Köln', 50.9375, 6.9603],
      ['Düsseldorf', 51.2277, 6.7735],
      ['Leipzig', 51.3397, 12.3731],
      ['Nürnberg', 49.4521, 11.0767],
      ['Gießen', 50.5841, 8.6784],
    ],
    firstNames:
      'Jürgen Günter Björn Sören Jörg Käthe Bärbel Anna Lukas Felix Jonas Maximilian Paul Leon Finn Emilia Hannah Mia Lena Marie Greta Frieda Klaus Sabine Petra Monika Stefan Andreas Thomas Heike Ulrike Matthias Katharina Tobias Ayşe Mehmet',
    lastNames:
      'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler König Jäger Groß Weiß Böhm Vogt Yılmaz',
    brands:
      'Nordlicht Morgenrot Alpenglück Weitblick Rheingold Sternwerk Feldhaus Kupfer Blaufuchs Lindenhof Eisvogel Grünwald Möwe Turmfalke Hanse Quell',
    trades:
      'Logistik Maschinenbau Energie Textil Medien Software Beratung Möbel Verpackungen Optik Sicherheit Fahrräder Lebensmittel Werkzeuge Versicherungen Druck Gesundheit Bau Robotik Gärten',
    companyForms: [
      '{brand} {trade}{city} GmbH',
      '{brand} {trade}{city} AG',
      '{brand} {trade}{city} GmbH & Co. KG',
    ],
  },
  {
    weight: 8,
    timezone: 'Europe/Madrid',
    currency: 'EUR',
    phone: '+34 6## ### ###',
    cities: [
      ['Madrid', 40.4168, -3.7038],
      ['Barcelona', 41.3874, 2.1686],
      ['Valencia', 39.4699, -0.3763],
      ['Sevilla', 37.3891, -5.9845],
      ['Málaga', 36.7213, -4.4213],
      ['A Coruña', 43.3623, -8.4115],
      ['León', 42.5987, -5.5671],
      ['Cádiz', 36.5271, -6.2886],
    ],
    firstNames:
      'Sofía José Lucía María Martín Íñigo Begoña Andrés Álvaro Raúl Mónica Inés Óscar Sergio Pablo Alejandro Carmen Elena Nerea Javier Rubén Marta Rocío Adrián Diego Laia Núria Jordi Iker Ainhoa Jesús Ángela Víctor Pilar Ramón Belén',
    lastNames:
      'Hernández Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Jiménez Ruiz Díaz Muñoz Álvarez Romero Navarro Torres Domínguez Vázquez Ramos Gil Serrano Blanco Suárez Castro Ortega Núñez Ibáñez Peña Cortés Garrido Santana Lozano Cano Prieto Méndez',
    brands:
      'Sol Levante Brújula Almendro Alba Olivo Sierra Faro Duero Tierra Cometa Peñón Azahar Roble Gaviota Nácar',
    trades:
      'Logística Energía Consultores Textiles Alimentos Muebles Medios Seguros Óptica Transportes Informática Construcción Salud Envases Seguridad Bicicletas Imprenta Jardines Robótica Cerámica',
    companyForms: [
      '{trade} {brand}{city} S.L.',
      '{brand} {trade}{city} S.A.',
      '{brand} {trade}{city}',
    ],
  },
  {
    weight: 7,
    timezone: 'Europe/Rome',
    currency: 'EUR',
    phone: '+39 3## ### ####',
    cities: [
      ['Roma', 41.9028, 12.4964],
      ['Milano', 45.4642, 9.19],
      ['Torino', 45.0703, 7.6869],
      ['Bologna', 44.4949, 11.3426],
      ['Firenze', 43.7696, 11.2558],
      ['Napoli', 40.8518, 14.2681],
      ['Forlì', 44.2227, 12.0407],
      ['Verona', 45.4384, 10.9916],
    ],
    firstNames:
      'Niccolò Noè Giosuè Leonardo Francesco Alessandro Lorenzo Mattia Andrea Gabriele Riccardo Tommaso Sofia Giulia Aurora Alice Ginevra Emma Giorgia Beatrice Anna Vittoria Chiara Federica Elena Paola Silvia Marco Luca Davide Stefano Simone Pietro Ilaria Martina Bianca',
    lastNames:
      'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti De_Luca Mancini Costa Giordano Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Galli Martini Leone Longo Gentile Nicolò D’Angelo Vitale Serra',
    brands:
      'Aurora Vesuvio Sereno Girasole Ponente Cipresso Fenice Bussola Ulivo Lanterna Onda Stella Marmo Falco Melograno Adria',
    trades:
      'Logistica Energia Consulenza Tessuti Alimentari Arredi Media Assicurazioni Ottica Trasporti Informatica Costruzioni Salute Imballaggi Sicurezza Biciclette Stampa Giardini Robotica Ceramiche',
    companyForms: [
      '{brand} {trade}{city} S.r.l.',
      '{brand} {trade}{city} S.p.A.',
      '{trade} {brand}{city}',
    ],
  },
  {
    weight: 6,
    timezone: 'Europe/Warsaw',
    currency: 'PLN',
    phone: '+48 5## ### ###',
    cities: [
      ['Warszawa', 52.2297, 21.0122],
      ['Kraków', 50.0647, 19.945],
      ['Łódź', 51.7592, 19.456],
      ['Wrocław', 51.1079, 17.0385],
      ['Poznań', 52.4064, 16.9252],
      ['Gdańsk', 54.352, 18.6466],
      ['Rzeszów', 50.0412, 21.9991],
      ['Białystok', 53.1325, 23.1688],
    ],
    firstNames:
      'Łukasz Michał Paweł Grzegorz Zbigniew Małgorzata Agnieszka Bożena Stanisław Wojciech Zofia Julia Hanna Maja Oliwia Lena Aleksandra Wiktoria Antoni Jakub Jan Szymon Franciszek Filip Mikołaj Katarzyna Joanna Magdalena Ewelina Rafał Tomasz Krzysztof Józef Żaneta Róża Błażej',
    lastNames:
      'Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Jankowski Mazur Kwiatkowski Krawczyk Piotrowski Grabowski Pawłowski Michalski Król Wieczorek Jabłoński Wróbel Nowakowski Majewski Stępień Olszewski Malinowski Jaworski Górski Rutkowski Sikora Baran Duda Szewczyk',
    brands:
      'Bursztyn Wisła Żubr Orzeł Jodła Sokół Świt Kuźnia Polana Zorza Dąb Młyn Tatry Bałtyk Iskra Źródło',
    trades:
      'Logistyka Energia Doradztwo Tekstylia Żywność Meble Media Ubezpieczenia Optyka Transport Informatyka Budownictwo Zdrowie Opakowania Ochrona Rowery Drukarnia Ogrody Robotyka Narzędzia',
    companyForms: [
      '{brand} {trade}{city} sp. z o.o.',
      '{brand} {trade}{city} S.A.',
      '{trade} {brand}{city}',
    ],
  },
  {
    weight: 5,
    timezone: 'Europe/Stockholm',
    currency: 'EUR',
    phone: '+46 70 1## ## ##',
    cities: [
      ['Stockholm', 59.3293, 18.0686],
      ['Göteborg', 57.7089, 11.9746],
      ['Malmö', 55.605, 13.0038],
      ['Örebro', 59.2753, 15.2134],
      ['Umeå', 63.8258, 20.263],
      ['Västerås', 59.6099, 16.5448],
      ['Linköping', 58.4108, 15.6214],
      ['Gävle', 60.6749, 17.1413],
    ],
    firstNames:
      'Åsa Göran Börje Håkan Märta Sölve Astrid Björn Elsa Alma Maja Ebba Freja Saga Linnéa William Liam Hugo Oskar Axel Nils Gustav Emil Karl-Johan Ingrid Birgitta Kerstin Lars Anders Magnus Sven Elin Johanna Sara Ömer André',
    lastNames:
      'Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Lindberg Lindström Lindqvist Lindgren Axelsson Bergström Lundgren Nyström Holmström Sjöberg Söderberg Åkesson Öberg Björklund Hägglund Wallin Engström Eklund Sandberg Forsberg Sjögren Blomqvist Ström Åström Norén Hellström',
    brands:
      'Norrsken Fjäll Granskog Älv Skärgård Tärna Björk Isbjörn Midnatt Vinter Solros Kvarn Lärka Tjäder Östan Bränning',
    trades:
      'Logistik Energi Konsult Textil Livsmedel Möbler Media Försäkring Optik Transport Data Bygg Hälsa Förpackning Säkerhet Cyklar Tryckeri Trädgård Robotik Verktyg',
    companyForms: [
      '{brand} {trade}{city} AB',
      '{brand}s {trade}{city} AB',
      '{brand} {trade}{city}',
    ],
  },
  {
    weight: 7,
    timezone: 'America/Sao_Paulo',
    currency: 'USD',
    phone: '+55 11 9####-####',
    cities: [
      ['São Paulo', -23.5558, -46.6396],
      ['Rio de Janeiro', -22.9068, -43.1729],
      ['Brasília', -15.7939, -47.8828],
      ['Florianópolis', -27.5949, -48.5482],
      ['Goiânia', -16.6869, -49.2648],
      ['Curitiba', -25.4284, -49.2733],
      ['Belém', -1.4558, -48.4902],
      ['Maceió', -9.6498, -35.7089],
    ],
    firstNames:
      'João Conceição Antônio Luís Vinícius Letícia Márcia Cláudio Patrícia Sérgio Fábio Flávia Ana Beatriz Camila Fernanda Juliana Larissa Gabriela Rafaela Pedro Paulo Rodrigo Thiago Felipe Gustavo Bruno Eduardo Marcelo Vitória Débora Luíza Inácio Estêvão Simão Iara',
    lastNames:
      'Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Ribeiro Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa Rocha Dias Nascimento Andrade Moreira Nunes Marques Machado Mendes Freitas Cardoso Ramos Gonçalves Araújo Assunção Magalhães Brandão Simões',
    brands:
      'Ipê Jacarandá Cruzeiro Maré Tucano Araçá Ipanema Cerrado Boa_Vista Garça Pantanal Sabiá Açaí Bússola Caju Manacá',
    trades:
      'Logística Energia Consultoria Têxtil Alimentos Móveis Mídia Seguros Óptica Transportes Informática Construções Saúde Embalagens Segurança Bicicletas Gráfica Jardins Robótica Cerâmica',
    companyForms: [
      '{brand} {trade}{city} Ltda.',
      '{trade} {brand}{city}',
      '{brand} {trade}{city} S.A.',
    ],
  },
  {
    weight: 6,
    timezone: 'Asia/Kolkata',
    currency: 'INR',
    phone: '+91 9#### #####',
    cities: [
      ['Mumbai', 19.076, 72.8777],
      ['Bengaluru', 12.9716, 77.5946],
      ['Delhi', 28.7041, 77.1025],
      ['Chennai', 13.0827, 80.2707],
      ['Pune', 18.5204, 73.8567],
      ['Kolkata', 22.5726, 88.3639],
      ['Hyderabad', 17.385, 78.4867],
      ['Jaipur', 26.9124, 75.7873],
    ],
    firstNames:
      'Aarav Vivaan Aditya Arjun Sai Krishna Ishaan Rohan Kabir Rahul Amit Vikram Sanjay Deepak Rajesh Suresh Ananya Aadhya Diya Saanvi Pari Anika Priya Neha Pooja Kavya Meera Lakshmi Sunita Divya Farhan Ayesha Gurpreet Harpreet Tenzin Joseph',
    lastNames:
      'Sharma Verma Gupta Singh Kumar Patel Shah Mehta Joshi Desai Reddy Rao Nair Menon Iyer Krishnan Pillai Chatterjee Banerjee Mukherjee Das Bose Sen Ghosh Khan Ansari Kaur Gill Malhotra Kapoor Chopra Bhatt Mishra Pandey Yadav D’Souza',
    brands:
      'Himalaya Chandra Surya Lotus Banyan Peepal Ganga Malabar Deccan Monsoon Sagar Peacock Chinar Indigo Saffron Neem',
    trades: englishTrades,
    companyForms: [
      '{brand} {trade}{city} Pvt. Ltd.',
      '{brand} {trade}{city} LLP',
      '{brand} Brothers {trade}{city}',
    ],
  },
  ...otherScripts,
]
