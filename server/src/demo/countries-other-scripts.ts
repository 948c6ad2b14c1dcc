// Countries whose names are not in Latin letters.
import type { Country } from './country.ts'

export const otherScripts: Country[] = [
  {
    weight: 5,
    timezone: 'Asia/Tokyo',
    currency: 'JPY',
    phone: '+81 90-####-####',
    cities: [
      ['東京/tokyo', 35.6762, 139.6503],
      ['大阪/osaka', 34.6937, 135.5023],
      ['名古屋/nagoya', 35.1815, 136.9066],
      ['札幌/sapporo', 43.0618, 141.3545],
      ['福岡/fukuoka', 33.5902, 130.4017],
      ['京都/kyoto', 35.0116, 135.7681],
      ['神戸/kobe', 34.6901, 135.1956],
      ['仙台/sendai', 38.2682, 140.8694],
    ],
    firstNames:
      '花子/hanako さくら/sakura 陽菜/hina 結衣/yui 美咲/misaki 葵/aoi 凛/rin 恵子/keiko 由美子/yumiko 直子/naoko 真由美/mayumi 裕子/yuko 太郎/taro 翔太/shota 蓮/ren 大翔/hiroto 悠斗/yuto 健/ken 誠/makoto 隆/takashi 浩/hiroshi 和也/kazuya 拓也/takuya 直樹/naoki 大輔/daisuke 一郎/ichiro 亮/ryo 学/manabu',
    lastNames:
      '佐藤/sato 鈴木/suzuki 高橋/takahashi 田中/tanaka 伊藤/ito 渡辺/watanabe 山本/yamamoto 中村/nakamura 小林/kobayashi 加藤/kato 吉田/yoshida 山田/yamada 佐々木/sasaki 山口/yamaguchi 松本/matsumoto 井上/inoue 木村/kimura 林/hayashi 斎藤/saito 清水/shimizu 山崎/yamazaki 森/mori 池田/ikeda 橋本/hashimoto 阿部/abe 石川/ishikawa 中島/nakajima 前田/maeda 藤田/fujita 後藤/goto',
    brands:
      '青空/aozora 桜/sakura 日の出/hinode 大和/yamato 三日月/mikazuki 白鶴/shirotsuru 若葉/wakaba 富士/fuji 黒潮/kuroshio 銀河/ginga 千歳/chitose 松風/matsukaze',
    trades:
      '物流/logistics 電機/denki 食品/foods 繊維/textile 商事/shoji 建設/kensetsu 印刷/printing 製薬/pharma 運輸/transport 情報/data 精密/seimitsu 家具/kagu 保険/hoken 光学/optics 化学/chem 警備/keibi',
    companyForms: [
      '株式会社{brand}{trade}{city}',
      '{brand}{trade}{city}株式会社',
      '有限会社{brand}{trade}{city}',
    ],
  },
  {
    weight: 4,
    timezone: 'Asia/Shanghai',
    currency: 'CNY',
    phone: '+86 139 #### ####',
    cities: [
      ['上海/shanghai', 31.2304, 121.4737],
      ['北京/beijing', 39.9042, 116.4074],
      ['广州/guangzhou', 23.1291, 113.2644],
      ['深圳/shenzhen', 22.5431, 114.0579],
      ['成都/chengdu', 30.5728, 104.0668],
      ['杭州/hangzhou', 30.2741, 120.1551],
      ['武汉/wuhan', 30.5928, 114.3055],
      ['西安/xian', 34.3416, 108.9398],
    ],
    firstNames:
      '伟/wei 芳/fang 秀英/xiuying 敏/min 静/jing 丽/li 强/qiang 磊/lei 洋/yang 艳/yan 勇/yong 军/jun 杰/jie 娟/juan 涛/tao 超/chao 明/ming 霞/xia 平/ping 刚/gang 桂英/guiying 子涵/zihan 浩然/haoran 梓萱/zixuan 宇轩/yuxuan 欣怡/xinyi 建国/jianguo 晓明/xiaoming',
    lastNames:
      '王/wang 李/li 张/zhang 刘/liu 陈/chen 杨/yang 黄/huang 赵/zhao 吴/wu 周/zhou 徐/xu 孙/sun 马/ma 朱/zhu 胡/hu 郭/guo 何/he 高/gao 林/lin 罗/luo 郑/zheng 梁/liang 谢/xie 宋/song 唐/tang 许/xu 韩/han 冯/feng 邓/deng 曹/cao',
    brands:
      '长城/changcheng 东方/dongfang 金龙/jinlong 华夏/huaxia 蓝天/lantian 泰山/taishan 明珠/mingzhu 和平/heping 新星/xinxing 春晖/chunhui 远航/yuanhang 九州/jiuzhou',
    trades:
      '物流/logistics 科技/tech 食品/foods 纺织/textile 贸易/trading 建筑/construction 印刷/printing 医药/pharma 运输/transport 软件/software 机械/machinery 家具/furniture 保险/insurance 光学/optics 化工/chem 能源/energy',
    companyForms: [
      '{city}{brand}{trade}有限公司',
      '{brand}{trade}{city}集团',
      '{brand}{trade}{city}股份有限公司',
    ],
  },
  {
    weight: 3,
    timezone: 'Europe/Kyiv',
    currency: 'EUR',
    phone: '+380 67 ### ## ##',
    cities: [
      ['Київ/kyiv', 50.4501, 30.5234],
      ['Львів/lviv', 49.8397, 24.0297],
      ['Одеса/odesa', 46.4825, 30.7233],
      ['Харків/kharkiv', 49.9935, 36.2304],
      ['Дніпро/dnipro', 48.4647, 35.0462],
      ['Чернівці/chernivtsi', 48.2915, 25.9403],
      ['Вінниця/vinnytsia', 49.2331, 28.4682],
      ['Полтава/poltava', 49.5883, 34.5514],
    ],
    firstNames:
      'Олександр/oleksandr Андрій/andrii Дмитро/dmytro Сергій/serhii Іван/ivan Максим/maksym Юрій/yurii Тарас/taras Богдан/bohdan Микола/mykola Василь/vasyl Петро/petro Олена/olena Наталія/nataliia Ірина/iryna Оксана/oksana Тетяна/tetiana Юлія/yuliia Марія/mariia Катерина/kateryna Анна/anna Софія/sofiia Людмила/liudmyla Ганна/hanna',
    lastNames:
      'Шевченко/shevchenko Коваленко/kovalenko Бондаренко/bondarenko Ткаченко/tkachenko Кравченко/kravchenko Ковальчук/kovalchuk Олійник/oliinyk Шевчук/shevchuk Поліщук/polishchuk Лисенко/lysenko Мельник/melnyk Марченко/marchenko Савченко/savchenko Руденко/rudenko Мороз/moroz Павленко/pavlenko Петренко/petrenko Кравчук/kravchuk Клименко/klymenko Гончар/honchar Сидоренко/sydorenko Литвин/lytvyn Гаврилюк/havryliuk Іваненко/ivanenko',
    brands:
      'Світанок/svitanok Калина/kalyna Дніпро/dnipro Карпати/karpaty Мрія/mriia Соняшник/soniashnyk Лелека/leleka Зоря/zoria Барвінок/barvinok Явір/yavir Ранок/ranok Степ/step',
    trades:
      'Логістика/lohistyka Енергія/enerhiia Текстиль/tekstyl Меблі/mebli Медіа/media Оптика/optyka Транспорт/transport Софт/soft Буд/bud Здоров’я/zdorovia Пак/pak Безпека/bezpeka Друк/druk Сади/sady Агро/ahro Робот/robot',
    companyForms: [
      'ТОВ «{brand} {trade}»{city}',
      '{brand} {trade}{city}',
      'ПрАТ «{brand} {trade}»{city}',
    ],
  },
  {
    weight: 2,
    timezone: 'Africa/Cairo',
    currency: 'USD',
    phone: '+20 10 #### ####',
    cities: [
      ['القاهرة/cairo', 30.0444, 31.2357],
      ['الإسكندرية/alexandria', 31.2001, 29.9187],
      ['الجيزة/giza', 30.0131, 31.2089],
      ['المنصورة/mansoura', 31.0409, 31.3785],
      ['طنطا/tanta', 30.7865, 31.0004],
      ['أسوان/aswan', 24.0889, 32.8998],
      ['الأقصر/luxor', 25.6872, 32.6396],
      ['السويس/suez', 29.9668, 32.5498],
    ],
    firstNames:
      'محمد/mohamed أحمد/ahmed محمود/mahmoud مصطفى/mostafa علي/ali حسن/hassan إبراهيم/ibrahim عمر/omar يوسف/youssef خالد/khaled كريم/karim طارق/tarek فاطمة/fatma مريم/mariam نور/nour سارة/sara هبة/heba منى/mona ياسمين/yasmin دينا/dina ليلى/laila أميرة/amira سلمى/salma رانيا/rania',
    lastNames:
      'حسين/hussein السيد/elsayed عبدالله/abdallah عثمان/osman سليمان/soliman منصور/mansour فاروق/farouk نصر/nasr شريف/sherif رمضان/ramadan صالح/saleh يونس/younes فهمي/fahmy زكي/zaki بدوي/badawi جابر/gaber قاسم/kassem مراد/mourad حداد/haddad نجار/naggar خليل/khalil سالم/salem عوض/awad رزق/rizk',
    brands:
      'النيل/nile الأهرام/ahram اللوتس/lotus الواحة/waha الفجر/fagr النخيل/nakheel القمر/qamar الصقر/saqr الشروق/shorouk المنارة/manara الياسمين/yasmine البحر/bahr',
    trades:
      'للنقل/transport للطاقة/energy للأغذية/foods للنسيج/textile للتجارة/trade للبناء/build للطباعة/print للأدوية/pharma للبرمجيات/software للأثاث/furniture للتأمين/insurance للبصريات/optics للإعلام/media للأمن/security للزراعة/agri للتغليف/pack',
    companyForms: [
      '{brand} {trade}{city}',
      'شركة {brand} {trade}{city}',
      'مجموعة {brand} {trade}{city}',
    ],
  },
]
