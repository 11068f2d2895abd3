"""Closed word lists for reading firm names: legal forms, generic words, places, Han variants."""


def word_set(text: str) -> frozenset[str]:
    """The blank-separated words of a text as a set."""
    return frozenset(text.split())


LEGAL_FORMS = word_set(
    "co ltd inc corp corporation company limited incorporated llc llp lp plc gmbh mbh ag kg kgaa ohg ug se sa sas sarl "
    "srl spa sl slu sau bv nv oy oyj ab as asa aps pte pty sdn bhd kk kabushiki kaisha pvt private zoo doo sro "
    "lda ltda ltee sti ood eood oue ou kft zrt nyrt jsc ojsc cjsc pjsc tbk pt fze fzco wll eurl sasu snc gbr publ "
    "ооо оао зао пао ао group holding holdings the "
    "branch niederlassung zweigniederlassung succursale sucursal filiale"
)
# Legal forms of several words, as they stand after punctuation is gone; the longest first.
LEGAL_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in ("s de rl de cv", "sapi de cv", "sab de cv", "sa de cv", "sp z oo", "spol s ro", "spol sro", "fz llc")
)
ABBREVIATIONS = {"intl": "international", "mfg": "manufacturing", "comms": "communications"}
PARTICLES = word_set("by de del do da of und et y")

GENERIC = word_set(
    "technology technologies tech technical digital network networks communication communications telecom "
    "telecommunication telecommunications electronic electronics system systems solution solutions software device "
    "devices cloud computing service services wireless memory semiconductor information industry international "
    "global investment trading sales research development and "
    "технолоджис технолоджиз технолоджи технологии технологий текнолоджис диджитал коммуникейшнс рус россия"
)

DAHUA_NEEDS = word_set("technology technologies tech technical security vision zhejiang usa")

PLACES = word_set(
    "africa america american americas apac arab arabia argentina asia australia austria bahrain bangladesh belgium "
    "belgique bolivia brasil brazil britain bulgaria canada chile china chinese colombia croatia cyprus czech czechia "
    "denmark deutschland deutsche dubai east eastern ecuador egypt emea emirates espana estonia eu europa europe "
    "european finland france frankreich georgia germany greece hk hong hongkong hungary iberia india indonesia iran "
    "iraq ireland israel istanbul italia italy italien japan jordan kazakhstan kenya korea kong kuwait latam latvia "
    "lithuania london luxembourg macao macau malaysia malta mexico middle moldova mongolia morocco munich muenchen "
    "nederland netherlands niederlande nigeria nordic north northern norway oesterreich osterreich oman pacific "
    "pakistan panama paris peru philippines poland polska portugal prc qatar roc romania russia saudi schweiz serbia "
    "singapore slovakia slovenia south southern spain suisse sweden switzerland taipei taiwan thailand tunisia turkey "
    "turkiye uae uganda uk ukraine united us usa kingdom states uruguay uzbekistan venezuela vietnam west western "
    "zambia zimbabwe "
    "anhui beijing changsha chengdu chongqing dalian dongguan fujian fuzhou guangdong guangzhou guiyang hangzhou "
    "hebei hefei henan hubei hunan jiangsu jiangxi jinan nanjing ningbo qingdao shaanxi shandong shanghai shenyang "
    "shenzhen sichuan suzhou tianjin wuhan wuxi xiamen xian zhejiang zhengzhou zhuhai "
    "hainan haikou kunming nanchang nanning yunnan guizhou lanzhou gansu taiyuan shanxi harbin jilin changchun "
    "liaoning foshan huizhou wenzhou jiaxing changzhou nantong xuzhou yantai luoyang shijiazhuang urumqi xinjiang "
    "berlin duesseldorf dusseldorf frankfurt hamburg koeln koln cologne stuttgart munchen vienna wien zuerich zurich "
    "stockholm oslo copenhagen helsinki warsaw warszawa prague praha budapest bucharest madrid barcelona milan milano "
    "rome roma lisbon lisboa dublin moscow kyiv tokyo osaka seoul delhi mumbai bangalore bengaluru sydney melbourne "
    "toronto vancouver bogota bangkok jakarta manila hanoi lumpur kuala dhaka lagos nairobi cairo riyadh doha "
    "algeria algerie angola armenia azerbaijan albania bosnia botswana cambodia cameroon congo costa rica cuba "
    "dominican republic ethiopia fiji gabon ghana greenland guatemala honduras iceland jamaica lanka laos lebanon "
    "libya macedonia madagascar mauritius montenegro mozambique myanmar namibia nepal nicaragua paraguay puerto rico "
    "rwanda salvador senegal sri sudan syria tanzania uzbekistan yemen zealand texas california tx ca"
)

# Words of Chinese firm names that say nothing on who the firm is; longest first.
HAN_FILL = (
    "股份有限公司", "有限责任公司", "有限公司", "责任公司", "分公司", "公司", "集团", "控股", "股份",
    "数字技术", "微电子", "半导体", "云计算", "技术", "科技", "电子", "网络", "信息", "通信", "通讯", "系统",
    "存储", "产业",
    "智能", "国际", "投资",
    "软件", "数码", "实业", "中国", "浙江省", "浙江", "杭州市", "杭州", "深圳市", "深圳", "上海市",
    "上海", "北京市", "北京", "成都市", "成都", "武汉市", "武汉", "广东省", "广东", "香港", "合肥", "苏州", "南京",
    "西安", "青岛", "宁波", "厦门", "东莞", "珠海", "无锡", "天津", "重庆", "济南", "长沙", "郑州", "山东",
)  # fmt: skip

# The part of them that says only where the firm sits and which form it has.
HAN_SHELL = (
    "股份有限公司", "有限责任公司", "有限公司", "集团", "深圳市", "杭州市", "上海市", "北京市", "成都市", "武汉市",
    "浙江省", "广东省", "深圳", "杭州", "上海", "北京", "成都", "武汉", "浙江", "广东",
)  # fmt: skip

# Signs of other scripts, and digits inside a word, that are drawn like a Latin letter.
LOOK_ALIKES = str.maketrans(
    "АВЕІЈКМНОРСТУХЅԌԚԜавеіјкмнорстухѕԁԛԝпьΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγω",
    "ABEIJKMHOPCTYXSGQWabeijkmhopctyxsdqwnbABEZHIKMNOPTYXabeikvoptuxyw",
)
DIGITS_AS_LETTERS = str.maketrans("013457", "oieast")

# Traditional or Japanese sign -> simplified sign, for every sign that a listed name uses.
HAN_VARIANTS = str.maketrans(
    "華為爲視興訊術銀計學網絡導體達榮終雲資團電機數產業國灣臺廠聯會師務壽衛長儲樂螢貴"
    "際創東動寧時億緯鋰騰馬維聖訓蘋飛龍號變傳軟諾亞鯨極橋據廣場區縣應設備實驗價碼鏈範"
    "權責總經營銷貿進歐陸豐強張陽連遠適運選遞環現開關閉間湯線",
    "华为为视兴讯术银计学网络导体达荣终云资团电机数产业国湾台厂联会师务寿卫长储乐萤贵"
    "际创东动宁时亿纬锂腾马维圣训苹飞龙号变传软诺亚鲸极桥据广场区县应设备实验价码链范"
    "权责总经营销贸进欧陆丰强张阳连远适运选递环现开关闭间汤线",
)
